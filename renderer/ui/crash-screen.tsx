/** What is left of the window when drawing it failed: the reason, and a way on. Nothing in the folder depends on the page. */

import { Component, type ReactNode } from 'react';
import { messageOf } from '../api/client.ts';
import { Button } from './button.tsx';
import { Callout } from './callout.tsx';
import './crash-screen.css';

interface CrashScreenState {
  readonly reason: string | null;
}

export class CrashScreen extends Component<{ readonly children: ReactNode }, CrashScreenState> {
  override state: CrashScreenState = { reason: null };

  static getDerivedStateFromError(error: unknown): CrashScreenState {
    return { reason: messageOf(error) };
  }

  override render() {
    if (this.state.reason === null) return this.props.children;
    return (
      <main className="crash">
        <Callout
          level="error"
          actions={
            <Button size="small" onClick={() => location.reload()}>
              Reload the window
            </Button>
          }
        >
          <p>The window could not be drawn. Your files and their history are not affected.</p>
          <p className="quiet">{this.state.reason}</p>
        </Callout>
      </main>
    );
  }
}

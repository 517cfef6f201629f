/** Starts the page: listens to the main process, asks for the state, draws. */

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
// Before the components, whose styles build on these.
import './styles/tokens.css';
import './styles/base.css';
import { App } from './app.tsx';
import { readStored } from './lib/stored.ts';
import { listenToMain } from './state/listen-to-main.ts';
import { CrashScreen } from './ui/crash-screen.tsx';

const container = document.getElementById('root');
if (container === null) throw new Error('The page has no root element.');
// Known before the settings arrive, so that the window does not start in the wrong colours.
document.documentElement.dataset.theme = readStored('theme') ?? 'system';
listenToMain();
createRoot(container).render(
  <StrictMode>
    <CrashScreen>
      <App />
    </CrashScreen>
  </StrictMode>,
);

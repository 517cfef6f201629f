/** Starts the page: listens to the main process, asks for the state, draws. */

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
// Before the components, whose styles build on these.
import './styles/tokens.css';
import './styles/base.css';
import { App } from './app.tsx';
import { listenToMain } from './state/listen-to-main.ts';

const container = document.getElementById('root');
if (container === null) throw new Error('The page has no root element.');
listenToMain();
createRoot(container).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

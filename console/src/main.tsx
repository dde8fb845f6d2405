import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { applyTheme } from './parts/frame/theme-choice.ts';
import './styles/base.css';
import './styles/links.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/dialog.css';

applyTheme();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

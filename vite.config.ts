// Builds the page. Its files are served from app://, so every address in it is relative.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: `${import.meta.dirname}/renderer`,
  base: './',
  plugins: [react()],
  build: {
    outDir: `${import.meta.dirname}/dist/renderer`,
    emptyOutDir: true,
    target: 'chrome130',
    sourcemap: false,
    // The content security policy allows no inline script, and no address that begins with data: except images.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
  },
});

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** For `npm run dev:console`: the service that answers the calls. */
const SERVICE = process.env.TURNSTONE_URL ?? 'http://127.0.0.1:8080';
const CALLS = '^/(auth|me|memory|usage|recall|readyz|metrics|docs)';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // One style sheet: a page's own that did not come once would never be asked for again, and the page stand without.
    cssCodeSplit: false,
    // Every browser that runs this loads modules ahead by itself, and data: is no place for scripts or styles here.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  server: { proxy: { [CALLS]: SERVICE } },
});

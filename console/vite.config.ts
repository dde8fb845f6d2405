import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** For `npm run dev:console`: the service that answers the calls. */
const SERVICE = process.env.TURNSTONE_URL ?? 'http://127.0.0.1:8080';
const CALLS = '^/(audit|auth|docs|events|ingestion|me|memory|metrics|readyz|recall|usage)';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // One style sheet: a page's own, if it failed to load once, would never be requested again.
    cssCodeSplit: false,
    // Every browser that runs this preloads modules natively, and the policy forbids data: URLs.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  server: { proxy: { [CALLS]: SERVICE } },
});

import { defineConfig } from 'vite';

/** Beside the console's files, which its own build has emptied the folder for. */
export default defineConfig({
  base: '/docs/assets/',
  publicDir: false,
  build: {
    outDir: '../dist/docs',
    emptyOutDir: true,
    modulePreload: false,
    rolldownOptions: {
      input: 'main.ts',
      // Names that stay: the service revalidates each file by its ETag.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
});

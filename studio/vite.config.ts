import { join } from 'node:path'
import { defaultClientConditions, defineConfig } from 'vite'
import { compressed } from './compressed.ts'

/** The server that the page of `npm run dev -w studio` talks to. */
const SERVER = process.env['ECHELON_URL'] ?? 'http://127.0.0.1:3000'

const API = [
  '/runs',
  '/agents',
  '/approvals',
  '/costs',
  '/sessions',
  '/evaluations',
  '/tune',
  '/ai-sdk',
]

export default defineConfig({
  root: import.meta.dirname,
  // The server has its API beside it.
  base: '/studio/',
  // The server puts a new one into each page; see `packages/server/src/studio/studio-page.ts`.
  html: { cspNonce: 'ECHELON_NONCE' },
  plugins: [compressed],
  resolve: {
    conditions: ['echelon-source', ...defaultClientConditions],
    alias: {
      // A helper for tests of forms imports it. It compiles schemas to code, which the page must not run.
      '@rjsf/validator-ajv8': join(import.meta.dirname, 'src/start/ajv-stand-in.ts'),
    },
  },
  build: {
    outDir: process.env['ECHELON_DIST'] ?? 'dist',
    emptyOutDir: true,
    // Assets inline as data would need a wider content-security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    // They support `light-dark()`, which the styles use without a fallback.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    // The licenses of what is in the page, which they require to be beside it.
    license: { fileName: 'licenses.txt' },
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: {
      // Libraries mark what a server must not render; nothing is rendered there.
      onLog(level, log, tell) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log)
      },
    },
  },
  server: { proxy: Object.fromEntries(API.map((path) => [path, SERVER])) },
})

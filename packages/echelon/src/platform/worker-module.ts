/**
 * The URL of a module for a worker: `./x.ts` from source, `./x.js` from `dist`, because the
 * compiler rewrites imports but not URLs.
 * @param base the caller's `import.meta.url`
 * @param path relative to it, as in source
 */
export const workerModule = (base: string, path: string): URL =>
  new URL(base.endsWith('.ts') ? path : path.replace(/\.ts$/, '.js'), base)

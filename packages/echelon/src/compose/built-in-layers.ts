import type { Layer } from '../core/extension/middleware.ts'

/** The middleware that comes with the library, each as it is by default. Loaded by the first call. */
export async function builtInLayers(): Promise<readonly Layer[]> {
  const built = await import('../middleware/built-in.ts')
  return built.builtInLayers()
}

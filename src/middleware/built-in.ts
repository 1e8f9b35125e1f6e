import type { Layer } from '../core/middleware.ts'

/**
 * The middleware that comes with Echelon, each as it is by default: what a stored state may belong
 * to. Whoever adds one adds it here, and its shape to `state-shapes.json`.
 */
export const builtInLayers = (): readonly Layer[] => []

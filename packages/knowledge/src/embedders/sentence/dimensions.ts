/** Of the model's vectors. */
export const DIMENSIONS_IN = 512
/** Of the vectors that the learned map gives. */
export const DIMENSIONS_OUT = 256
/** Of the model's own vectors, the first ones, kept beside those of the map. */
export const DIMENSIONS_KEPT = 256
/** Of the vectors that are stored. */
export const DIMENSIONS: number = DIMENSIONS_OUT + DIMENSIONS_KEPT

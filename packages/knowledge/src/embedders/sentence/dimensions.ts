/** Of the model's vectors. */
export const DIMENSIONS_IN = 512
/** Of the vectors that are stored. */
export const DIMENSIONS_OUT = 256

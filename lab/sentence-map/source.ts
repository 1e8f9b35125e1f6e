import type { LearnedMap } from './learn.ts'

/** The map as a module: whole numbers from -127 to 127, with one factor for all. */
export function mapSource({ mean, weights }: LearnedMap): string {
  const [means, map] = [wholeNumbers(mean), wholeNumbers(weights)]
  return `// Written by lab/sentence-map.ts. Learned from definitions of WordNet 3.1, © Princeton University, whose
// license permits it (https://wordnet.princeton.edu/license-and-commercial-use).

export const MEAN_FACTOR = ${means.factor}
export const MEAN = '${means.text}'
export const WEIGHTS_FACTOR = ${map.factor}
export const WEIGHTS =
  '${map.text}'
`
}

function wholeNumbers(values: Float32Array): { readonly factor: number; readonly text: string } {
  const most = values.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  const factor = Number((most / 127).toPrecision(6))
  const whole = Int8Array.from(values, (value) => Math.round(value / factor))
  return { factor, text: Buffer.from(whole.buffer).toString('base64') }
}

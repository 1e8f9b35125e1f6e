/**
 * What the built-in tools are made with, as `npm install` takes it; the library itself brings none
 * of it. Wherever one is missing all are named, so that one command is enough.
 */
export const TOOL_PACKAGES: string = [
  'zod@4',
  'mathjs@15',
  'temporal-polyfill@1',
  'simple-statistics@7',
  'csv-parse@7',
  '@observablehq/sample-datasets@1',
  'vega@6',
  'vega-lite@6',
  '@resvg/resvg-js@2',
  '@expo-google-fonts/inter@0.4',
  'pngjs@7',
].join(' ')

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isChosen } from '../../../../../test/share.ts'
import { loadIntents } from '../../defaults/intents-file.ts'
import { keyOf, rowsOfFollowUps, rowsOfRequests, trained } from '../learned-classifier.ts'
import { KNOWN_CALIBRATIONS } from './known-calibrations.ts'

const FILE = join(import.meta.dirname, 'known-calibrations.ts')

/** Calibrating takes six seconds, so `npm test` does it on one day in so many; the long tests and an update always. */
const ONE_IN = 5

test('the calibrations that come along are those of the intents that come along', async () => {
  const { config } = await loadIntents()
  const rows = [
    rowsOfRequests(config.intents, config.outOfScope ?? [], config),
    rowsOfFollowUps(config.intents, config),
  ]
  const isUpdate = process.env['UPDATE'] === '1'
  // The keys tell on each day whether the examples were changed.
  const wrong = 'the examples were changed: run npm run calibrate'
  if (!isUpdate) assert.deepEqual(Object.keys(KNOWN_CALIBRATIONS), rows.map(keyOf), wrong)
  if (!isUpdate && !isChosen(0, ONE_IN)) return
  const found = Object.fromEntries(
    rows.map((each) => [keyOf(each), trained(each).model.calibration]),
  )
  if (isUpdate) await writeFile(FILE, sourceOf(found))
  else assert.deepEqual(KNOWN_CALIBRATIONS, found, wrong)
})

test('a known calibration gives the same classifier', () => {
  const rows = ['pay', 'send', 'stop'].flatMap((word) =>
    ['please', 'now', 'it', 'that', 'again'].map((more) => ({
      text: `${word} ${more}`,
      label: word,
    })),
  )
  const full = trained(rows)
  const quick = trained(rows, full.model.calibration)
  for (const { text } of rows) assert.deepEqual(quick.classify(text), full.classify(text))
})

const sourceOf = (known: Readonly<Record<string, readonly number[]>>): string => `/**
 * The calibrations of the classifiers of the intents that come along, by the key of their examples. A test keeps them
 * true; \`npm run calibrate\` makes them anew after the examples were changed.
 */
export const KNOWN_CALIBRATIONS: Readonly<Record<string, readonly number[]>> = {
${Object.entries(known)
  .map(([key, numbers]) => `  '${key}': [${numbers.join(', ')}],\n`)
  .join('')}}
`

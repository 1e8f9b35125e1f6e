import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { ToolError } from '../../packages/echelon/src/core/tool/tool.ts'
import type { Reader } from '../readers/reader.ts'
import { textsLike } from './texts.ts'

/** For each reader; the long tests give a minute. */
const SECONDS = process.env['FUZZ_SECONDS']

/** `npm test` tries so many texts, and fewer where they take longer than this. */
const FEW = { numRuns: 100, interruptAfterTimeLimit: 500 }

const EXTENT =
  SECONDS === undefined
    ? FEW
    : { numRuns: 10_000_000, interruptAfterTimeLimit: Number(SECONDS) * 1000 }

/** A second a megabyte, and what a single call may take on a machine that collects garbage meanwhile. */
const MS_A_MEGABYTE = 1000
const FLOOR_MS = 250

const MEGABYTE = 1024 * 1024
/** What may be left of all readings: caches of fixed size, compiled code. */
const MOST_LEFT = 64 * MEGABYTE

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** Compiled expressions grow old with each collection, and are gone after so many. */
const MOST_COLLECTIONS = 8

/** What is in use after a collection, or after several where that is not less than what is enough. */
function heapInUse(enough = Infinity): number {
  for (let time = 1; ; time++) {
    if (typeof collect === 'function') Reflect.apply(collect, undefined, [])
    const { heapUsed } = process.memoryUsage()
    if (heapUsed < enough || time === MOST_COLLECTIONS) return heapUsed
  }
}

/**
 * Has readers of a kind read texts that are almost of their formats, for as long as `FUZZ_SECONDS` says. What
 * goes wrong must be a value, or an error of the project's own; a second a megabyte is enough; and nothing
 * stays in memory.
 */
export function fuzz(kind: string, readers: readonly Reader[]): void {
  suite(`texts that are almost ${kind}`, () => {
    for (const reader of readers) {
      test(reader.name, async (t) => {
        const { seed } = fc.readConfigureGlobal()
        let count = 0
        // What is loaded and compiled once stays, and is not counted.
        for (const text of fc.sample(textsLike(reader.samples), 10)) await tryOn(reader, text)
        const before = heapInUse()
        await fc.assert(
          fc.asyncProperty(textsLike(reader.samples), async (text) => {
            count++
            await tryOn(reader, text)
          }),
          { ...EXTENT, markInterruptAsFailure: false },
        )
        const left = heapInUse(before + MOST_LEFT) - before
        t.diagnostic(`seed ${seed}, ${count} texts, ${(left / MEGABYTE).toFixed(1)} MB left`)
        assert.ok(left < MOST_LEFT, `${(left / MEGABYTE).toFixed(1)} MB stay in memory`)
      })
    }
  })
}

async function tryOn(reader: Reader, text: string): Promise<void> {
  const given = reader.within === undefined ? text : text.slice(0, reader.within.characters)
  const most = reader.within?.ms ?? FLOOR_MS + (given.length / MEGABYTE) * MS_A_MEGABYTE
  let taken = await timed(reader, given)
  // What was compiled, collected, or shared with others is not taken twice.
  if (taken > most) taken = Math.min(taken, await timed(reader, given))
  assert.ok(taken <= most, `it took ${taken.toFixed(0)} ms for ${given.length} characters`)
}

async function timed(reader: Reader, text: string): Promise<number> {
  const before = process.threadCpuUsage()
  try {
    await reader.read(text)
  } catch (error) {
    const isOurs = error instanceof EchelonError || error instanceof ToolError
    if (!isOurs && reader.isApart !== true) throw error
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

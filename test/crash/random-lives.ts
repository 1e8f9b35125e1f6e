import { existsSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { join } from 'node:path'
import { endOf, spawnProgram } from './lives.ts'
import type { End } from './scenario.ts'

/** The recorded end of a run. */
export interface Ending {
  readonly run: string
  readonly end: End
}

export interface RandomLane {
  readonly folder: string
  readonly lane: string
  readonly seed: number
  readonly runs: number
}

export interface RandomlyLed {
  readonly ends: ReadonlyMap<string, End>
  readonly killed: number
}

/** As many processes as needed, each of which dies where the seed says. */
export async function leadRandomly({ folder, lane, seed, runs }: RandomLane): Promise<RandomlyLed> {
  const given = [folder, lane, String(seed), String(runs)]
  for (let nth = 0; ; nth++) {
    const child = spawnProgram(folder, 'crash/random-life.ts', ...given, String(nth), '1')
    if ((await endOf(child)) === null) return { ends: endsIn(folder, lane), killed: nth }
  }
}

/** The same, with each killed from outside after an unpredictable time. */
export async function leadKilling(
  { folder, lane, seed, runs }: RandomLane,
  { kills, drawMs }: { readonly kills: number; readonly drawMs: () => number },
): Promise<RandomlyLed> {
  const given = [folder, lane, String(seed), String(runs)]
  let killed = 0
  for (;;) {
    const child = spawnProgram(folder, 'crash/random-life.ts', ...given, '', '3')
    const ending = endOf(child)
    if (killed < kills) {
      await Promise.race([once(child, 'message'), ending])
      await Promise.race([wait(drawMs()), ending])
      child.kill('SIGKILL')
    }
    if ((await ending) === null) return { ends: endsIn(folder, lane), killed }
    killed++
  }
}

/** The last report about each. */
function endsIn(folder: string, lane: string): ReadonlyMap<string, End> {
  const file = join(folder, `${lane}.ends`)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  return new Map(
    lines.map((line) => {
      const { run, end }: Ending = JSON.parse(line)
      return [run, end]
    }),
  )
}

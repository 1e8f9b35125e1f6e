import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Amounts } from '../../packages/echelon/src/core/agent/budget.ts'
import { seededRandom } from '../../packages/echelon/src/core/value/random.ts'
import { IS_WHOLE, share } from '../share.ts'
import type { Kill } from './death.ts'
import { deedsOf, judgeAny, judgeSame, type Judged } from './judge.ts'
import { lead, type Life, type Led } from './lives.ts'
import { recordOf, SCENARIOS } from './scenarios.ts'
import { openStore } from '@echelon/store'

const folder = mkdtempSync(join(tmpdir(), 'echelon-crash-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** `npm test` kills at a share of the points, the long tests at each. */
const ONE_IN = 80

const some = <Case>(cases: readonly Case[]): readonly Case[] =>
  share(cases, Math.ceil(cases.length / ONE_IN))

/** A run with its lives, the last of which is not killed. */
interface Trial {
  readonly run: string
  readonly scenario: string
  readonly kills: readonly Kill[]
  readonly limits: Amounts
}

/** Runs all trials on two lanes, since most machines have two cores, each with its own store. */
async function tryAll(
  name: string,
  trials: readonly Trial[],
): Promise<{ readonly judged: readonly Judged[]; readonly killed: number }> {
  const lanes = [0, 1].map((lane) => trials.filter((_, place) => place % 2 === lane))
  const led = await Promise.all(
    lanes.map((lane, nth) => lead(folder, `${name}${nth}`, lane.flatMap(livesOf))),
  )
  const judged = await Promise.all(
    led.map((one, nth) => judgedOf(`${name}${nth}`, one, lanes[nth] ?? [])),
  )
  return { judged: judged.flat(), killed: led.reduce((sum, one) => sum + one.killed, 0) }
}

const livesOf = ({ run, scenario, kills, limits }: Trial): readonly Life[] => [
  ...kills.map((kill) => ({ run, scenario, kill, limits })),
  { run, scenario, limits },
]

async function judgedOf(
  lane: string,
  { ends }: Led,
  trials: readonly Trial[],
): Promise<readonly Judged[]> {
  const store = await openStore(join(folder, `${lane}.db`))
  const lives = trials.flatMap(livesOf)
  const judged: Judged[] = []
  for (const { run, scenario, limits } of trials) {
    const lived = ends.get(lives.findLastIndex((life) => life.run === run))
    assert.ok(lived !== undefined, `${run} came to no end`)
    const entries = await store.runs.read(recordOf(scenario, run))
    judged.push({ run, scenario, limits, entries, lived, deeds: deedsOf(folder, run) })
  }
  await store.close()
  return judged
}

const idOf = (scenario: string, kills: readonly Kill[], more = ''): string =>
  [scenario, more, ...kills.map(nameOf)].filter(Boolean).join('_')

const nameOf = (kill: Kill): string =>
  kill.at === 'action'
    ? `action-${kill.nth}`
    : `${kill.isWritten ? 'after' : 'before'}-append-${kill.nth}`

const trialOf = (scenario: string, kills: readonly Kill[], limits: Amounts = {}): Trial => ({
  run: idOf(scenario, kills, Object.keys(limits).join('-')),
  scenario,
  kills,
  limits,
})

/** Every point at which a process may die during this run. */
const pointsOf = ({ lived }: Judged): readonly Kill[] => [
  ...Array.from({ length: lived.appends }, (_, nth) => [
    { at: 'append', nth, isWritten: false } as const,
    { at: 'append', nth, isWritten: true } as const,
  ]).flat(),
  ...Array.from({ length: lived.actions }, (_, nth) => ({ at: 'action', nth }) as const),
]

/** Each run without interruption. */
const uninterrupted = tryAll(
  'whole',
  Object.keys(SCENARIOS).map((scenario) => trialOf(scenario, [])),
)

async function wholeOf(scenario: string): Promise<Judged> {
  const found = (await uninterrupted).judged.find((one) => one.scenario === scenario)
  assert.ok(found !== undefined)
  return found
}

test('each scenario ends as expected without a crash', async () => {
  const ends = new Map((await uninterrupted).judged.map((one) => [one.scenario, one.lived.end]))
  assert.deepEqual(
    [...ends].map(([scenario, { reason }]) => [scenario, reason]),
    [
      ['chat', 'stop'],
      ['arithmetic', 'success'],
      ['unsolved', 'big_fail'],
      ['fallback', 'success'],
      ['journey', 'arrived'],
      ['discount', 'success'],
      ['stock', 'success'],
      ['support', 'answered'],
    ],
  )
})

test('[C-31] a process that is killed at any append, before or after it, or right after an action, loses nothing: the next one reaches the same result, and each act happens once', async (context) => {
  const { judged: wholes } = await uninterrupted
  const trials = some(
    wholes.flatMap((whole) => pointsOf(whole).map((kill) => trialOf(whole.scenario, [kill]))),
  )
  const { judged, killed } = await tryAll('single', trials)
  context.diagnostic(`${killed} processes were killed`)
  assert.equal(killed, trials.length, 'each was killed once')
  for (const one of judged) {
    judgeAny(one, one.run)
    judgeSame(one, await wholeOf(one.scenario), one.run)
  }
})

test('[C-31] the next process may be killed as well', async (context) => {
  const random = seededRandom(31)
  const trials: Trial[] = []
  for (const scenario of ['chat', 'journey', 'support']) {
    const points = pointsOf(await wholeOf(scenario))
    for (const first of some(points.filter((_, place) => place % 3 === 0))) {
      const second = points[Math.floor(random() * points.length)] ?? first
      trials.push(trialOf(scenario, [first, second]))
    }
  }
  const { judged, killed } = await tryAll('double', trials)
  context.diagnostic(`${killed} processes were killed`)
  // A second kill may come after the end of a run; with a small share all of them may.
  assert.ok(killed >= trials.length + (IS_WHOLE ? 1 : 0), 'some were killed twice')
  for (const one of judged) {
    judgeAny(one, one.run)
    judgeSame(one, await wholeOf(one.scenario), one.run)
  }
})

/** Just enough for the whole run. */
const TIGHT: readonly (readonly [scenario: string, limits: Amounts])[] = [
  ['chat', { calls: 5 }],
  ['chat', { money: 4 }],
  ['chat', { tools: 10 }],
  ['journey', { 'calls.small': 4 }],
  ['journey', { tokens: 400 }],
  ['journey', { tools: 7 }],
]

test('[C-31] if the budget has no room for lost work, it is never exceeded, and running out of it is a valid end', async (context) => {
  const trials: Trial[] = []
  for (const [scenario, limits] of TIGHT) {
    trials.push(trialOf(scenario, [], limits))
    const points = pointsOf(await wholeOf(scenario))
    const killed = some(points.filter((_, place) => place % 5 === 2))
    trials.push(...killed.map((kill) => trialOf(scenario, [kill], limits)))
  }
  const { judged, killed } = await tryAll('tight', trials)
  const ends = new Map<string, number>()
  const fits = new Set(trials.flatMap(({ run, kills }) => (kills.length === 0 ? [run] : [])))

  for (const one of judged) {
    judgeAny(one, one.run)
    const { reason } = one.lived.end
    if (fits.has(one.run)) assert.ok(!reason.startsWith('budget:'), `${one.run} fits`)
    ends.set(reason, (ends.get(reason) ?? 0) + 1)
    if (!reason.startsWith('budget:')) judgeSame(one, await wholeOf(one.scenario), one.run)
  }
  const told = [...ends].map(([reason, n]) => `${n} ${reason}`).join(', ')
  context.diagnostic(`${killed} processes were killed; ends: ${told}`)
})

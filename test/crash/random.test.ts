import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { seededRandom } from '../../packages/echelon/src/core/value/random.ts'
import { type Drawn, drawRun, WORLDS } from './drawn.ts'
import { deedsOf, judgeAny, judgeSame, type Judged, ranShort } from './judge.ts'
import { lead, type Life } from './lives.ts'
import { recordOf } from './scenarios.ts'
import { leadKilling, leadRandomly, type RandomLane, type RandomlyLed } from './random-lives.ts'
import { openStore } from '@echelon/store'

const folder = mkdtempSync(join(tmpdir(), 'echelon-random-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** The long tests use another seed for each run, and `.ci/run` another one each day. */
const SEED = Number(process.env['CRASH_SEED'] ?? process.env['SEED'] ?? 959_058)

/** The number of runs, half in each lane. The long tests use more. */
const RUNS = Number(process.env['CRASH_RUNS'] ?? 8)

/** Each scenario in each world, without interruption. */
const wholes: readonly Life[] = ['chat', 'journey']
  .flatMap((scenario) =>
    Array.from({ length: WORLDS }, (_, faults) => ({
      run: `${scenario}-${faults}`,
      scenario,
      faults,
    })),
  )
  .concat(
    ['discount', 'support'].map((scenario) => ({ run: `${scenario}-0`, scenario, faults: 0 })),
  )

const whole = (async (): Promise<ReadonlyMap<string, Judged>> => {
  const own = join(folder, 'whole')
  mkdirSync(own)
  const { ends } = await lead(own, 'whole', wholes)
  const judged = wholes.map((life, place): readonly [string, Judged] => {
    const lived = ends.get(place)
    assert.ok(lived !== undefined)
    const { run, scenario } = life
    return [run, { run, scenario, limits: {}, entries: [], lived, deeds: deedsOf(own, run) }]
  })
  return new Map(judged)
})()

/** After all kills nothing is lost, spent twice or done twice. */
async function judgeLane(
  lane: RandomLane,
  { ends }: RandomlyLed,
): Promise<ReadonlyMap<string, number>> {
  const file = join(lane.folder, `${lane.lane}.db`)
  const db = new DatabaseSync(file)
  assert.deepEqual({ ...db.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
  db.close()
  const store = await openStore(file)
  const reasons = new Map<string, number>()
  for (let nth = 0; nth < lane.runs; nth++) {
    const drawn = drawRun(lane.seed, nth)
    const end = ends.get(drawn.run)
    const where = `CRASH_SEED=${SEED}, lane ${lane.lane}, ${drawn.run} ${JSON.stringify(drawn.limits)}`
    assert.ok(end !== undefined, `${where}: it came to no end`)
    const judged: Judged = {
      ...drawn,
      entries: await store.runs.read(recordOf(drawn.scenario, drawn.run)),
      lived: { place: nth, end, again: end, appends: 0, actions: 0 },
      deeds: deedsOf(lane.folder, drawn.run),
    }
    judgeAny(judged, where)
    if (!ranShort(judged)) judgeSame(judged, await wholeOf(drawn), where)
    reasons.set(end.reason, (reasons.get(end.reason) ?? 0) + 1)
  }
  const left = await store.runs.due(1000)
  assert.deepEqual(left, [], 'nothing is left to be taken up')
  await store.close()
  return reasons
}

async function wholeOf({ scenario, faults }: Drawn): Promise<Judged> {
  const found = (await whole).get(`${scenario}-${faults}`)
  assert.ok(found !== undefined)
  return found
}

const told = (reasons: readonly ReadonlyMap<string, number>[]): string => {
  const sum = new Map<string, number>()
  for (const [reason, n] of reasons.flatMap((one) => [...one])) {
    sum.set(reason, (sum.get(reason) ?? 0) + n)
  }
  return [...sum].map(([reason, n]) => `${n} ${reason}`).join(', ')
}

test('[C-31] runs of several agents, killed at seeded random moments, reach the same results', async (context) => {
  context.diagnostic(`CRASH_SEED=${SEED}`)
  const lanes = [0, 1].map((one): RandomLane => ({
    folder: join(folder, `seeded${one}`),
    lane: 'lane',
    seed: SEED * 2 + one,
    runs: RUNS / 2,
  }))
  for (const lane of lanes) mkdirSync(lane.folder)
  const led = await Promise.all(lanes.map(leadRandomly))
  const reasons = await Promise.all(
    lanes.map((lane, one) => judgeLane(lane, led[one] ?? { ends: new Map(), killed: 0 })),
  )
  const killed = led.reduce((sum, one) => sum + one.killed, 0)
  context.diagnostic(`${killed} processes were killed; ends: ${told(reasons)}`)
  assert.ok(killed > RUNS / 5, `${killed} were killed`)
})

test('[C-31] processes killed from outside at any moment lose nothing either', async (context) => {
  context.diagnostic(`CRASH_SEED=${SEED}`)
  const random = seededRandom(SEED)
  const lanes = [0, 1].map((one): RandomLane => ({
    folder: join(folder, `outside${one}`),
    lane: 'lane',
    seed: SEED * 2 + one,
    // Enough work that a process does not end before it is killed.
    runs: Math.max(10, RUNS / 5),
  }))
  for (const lane of lanes) mkdirSync(lane.folder)
  const led = await Promise.all(
    lanes.map((lane) =>
      leadKilling(lane, { kills: Math.max(2, RUNS / 20), drawMs: () => random() * 120 }),
    ),
  )
  const reasons = await Promise.all(
    lanes.map((lane, one) => judgeLane(lane, led[one] ?? { ends: new Map(), killed: 0 })),
  )
  const killed = led.reduce((sum, one) => sum + one.killed, 0)
  context.diagnostic(`${killed} processes were killed; ends: ${told(reasons)}`)
  assert.ok(killed > RUNS / 50, `${killed} were killed`)
})

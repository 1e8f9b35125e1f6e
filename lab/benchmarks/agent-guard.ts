/**
 * Fails if Echelon has become slower. Compares a few figures, as ratios to a hand-written loop or the
 * `ai` package in the same process, with `agent/guard.json`. A figure above its limit is measured again
 * before it counts. `--renew` writes new limits, 30 % above the current figures.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { BARS, type BarName, type Measured } from './agent/bars.ts'
import { BESIDE_PEER, exceeding, GUARDED, guarded, type Limits, limitsOf } from './agent/guard.ts'
import { measureApart } from './agent/measure-apart.ts'
import { digits } from './agent/table.ts'

const FILE = new URL('agent/guard.json', import.meta.url)

const { values } = parseArgs({ options: { renew: { type: 'boolean', default: false } } })
const measured = await measureEach(GUARDED)
if (values.renew) renew(measured)
else await check(measured)

function renew(measured: readonly Measured[]): void {
  const limits = limitsOf(measured)
  writeFileSync(FILE, `${JSON.stringify(limits, null, 2)}\n`)
  for (const one of measured) show(one, limits)
}

async function check(measured: readonly Measured[]): Promise<void> {
  const limits: Limits = JSON.parse(readFileSync(FILE, 'utf8'))
  for (const one of measured) show(one, limits)
  const doubtful = exceeding(measured, limits).map(({ bar }) => bar)
  if (doubtful.length === 0) return
  console.log(`once more: ${doubtful.join(', ')}`)
  const again = await measureEach(doubtful)
  for (const one of again) show(one, limits)
  const slower = exceeding(again, limits).map(({ bar }) => BARS[bar].what)
  if (slower.length === 0) return
  process.exitCode = 1
  console.log(
    `slower than it was, twice in a row: ${slower.join('; ')}. See what npm run bench says of it; if it is to be so, renew the limits with npm run bench:guard:agent -- --renew`,
  )
}

async function measureEach(names: readonly BarName[]): Promise<readonly Measured[]> {
  const measured: Measured[] = []
  for (const name of names) {
    const beside = BESIDE_PEER.includes(name) ? [] : ['--quick']
    measured.push(...(await measureApart(['--only', name, ...beside])))
  }
  return measured
}

function show(one: Measured, limits: Limits): void {
  const beside = BESIDE_PEER.includes(one.bar) ? 'ai' : 'the bare loop'
  const unit = one.toBare === undefined ? '' : ` x ${beside}`
  const limit = limits[one.bar]
  const most = limit === undefined ? 'no limit' : `at most ${digits(limit.most)}`
  console.log(`${BARS[one.bar].what}: ${digits(guarded(one))}${unit} (${most})`)
}

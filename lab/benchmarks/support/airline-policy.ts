import {
  isJson,
  isJsonObject,
  isRecord,
  type JsonObject,
  sameJson,
} from '../../../packages/echelon/src/core/value/json.ts'
import type { PolicyDecision } from '../../../packages/support/src/primitives/policy-engine.ts'
import type { FactsGatherer } from '../../../packages/support/src/policy/facts-gatherer.ts'
import { RulePolicyEngine } from '../../../packages/support/src/policy/rule-policy-engine.ts'
import type { PolicyRules } from '../../../packages/support/src/policy/rule.ts'
import { loadPolicies } from '../../../packages/support/src/defaults/policies-file.ts'
import { fileURLToPath } from 'node:url'
import { readDataFile } from '../tools/data-file.ts'
import { absent, leftOut, type Row } from '../tools/row.ts'
import {
  AirlineDatabase,
  type AirlineTables,
  readAirlineTables,
} from './policy/airline-database.ts'
import { airlineFacts } from './policy/airline-facts.ts'
import { airlineRun, type AirlineRun, type NamedCall, type RunStep } from './policy/airline-run.ts'
import { join } from 'node:path'

/** A write call of a run, and the decision of the rules. */
export interface JudgedWrite {
  readonly solved: boolean
  /** Whether it equals a gold action of its task. */
  readonly gold: boolean
  /** Whether it equals an action of the corrected gold. */
  readonly corrected: boolean
  /** Whether it also finds the reservation as the corrected gold leaves it before that action. */
  readonly inState: boolean
  readonly call: NamedCall
  readonly decision: PolicyDecision
}

const WRITES = [
  'book_reservation',
  'cancel_reservation',
  'update_reservation_flights',
  'update_reservation_baggages',
  'update_reservation_passengers',
  'send_certificate',
]

/** The rules of the airline of tau-bench. */
export const airlinePolicies = (): Promise<PolicyRules> =>
  loadPolicies(fileURLToPath(new URL('airline/policies.yaml', import.meta.url)))

/** Judges each write call of a recorded run by the facts at the time of the call. */
export async function judgeRun(
  run: AirlineRun,
  tables: AirlineTables,
  rules: PolicyRules,
  repaired: readonly NamedCall[] = [],
): Promise<readonly JudgedWrite[]> {
  const database = new AirlineDatabase(tables)
  const before: RunStep[] = []
  const writes: JudgedWrite[] = []
  for (const step of run.steps) {
    if (step.type === 'call') {
      if (WRITES.includes(step.call.name)) {
        const facts = airlineFacts(database, step.call, before)
        const decision = await decide(rules, step.call, facts)
        const { solved } = run
        const { call } = step
        writes.push({
          solved,
          gold: run.gold.some((action) => sameCall(action, call)),
          corrected: repaired.some((action) => sameCall(action, call)),
          inState: isGoldInState(call, repaired, writes),
          call,
          decision,
        })
      }
      database.learn(step.call, step.output)
    }
    before.push(step)
  }
  return writes
}

/** Whether the corrected gold makes this call after the same changes of the same reservation. */
function isGoldInState(
  call: NamedCall,
  gold: readonly NamedCall[],
  made: readonly Pick<JudgedWrite, 'call'>[],
): boolean {
  const at = gold.findIndex((action) => sameCall(action, call))
  const id = call.params['reservation_id']
  return (
    at >= 0 &&
    gold
      .slice(0, at)
      .filter(({ name, params }) => WRITES.includes(name) && params['reservation_id'] === id)
      .every((earlier) => made.some((write) => sameCall(write.call, earlier)))
  )
}

async function decide(
  rules: PolicyRules,
  call: NamedCall,
  facts: JsonObject,
): Promise<PolicyDecision> {
  const gatherer: FactsGatherer = { gather: async () => facts }
  const step = { toolName: call.name, params: call.params }
  return new RulePolicyEngine(rules, gatherer).validate(
    { intentId: 'airline', steps: [step], reasoning: 'recorded' },
    { id: 'recorded', text: '', customerId: null, context: {} },
    [],
  )
}

const sameCall = (a: NamedCall, b: NamedCall): boolean =>
  a.name === b.name && sameJson(a.params, b.params)

/**
 * Runs our engine, with the policy of tau-bench's airline as rules, on the write calls of gpt-4o. In
 * failed runs, calls that equal no gold action should be blocked; gold calls never.
 */
export async function airlinePolicyFigures(folder: string): Promise<readonly Row[]> {
  const file = await readDataFile(join(folder, 'tau_airline'), 'gpt4o_runs.jsonl')
  if (file === undefined) return [absent('tau_airline policy')]
  const repaired = await repairedGold(folder)
  const runs = file.rows.flatMap((row) => {
    const run = airlineRun(row)
    return run === undefined ? [] : [{ run, gold: repaired.get(String(row['task_id'])) ?? [] }]
  })
  if (runs.length === 0) throw file.unusable('messages, a reward and gold actions')
  const began = performance.now()
  const [tables, rules] = await Promise.all([
    readAirlineTables(join(folder, 'tau_airline', 'db')),
    airlinePolicies(),
  ])
  const writes = (
    await Promise.all(runs.map(({ run, gold }) => judgeRun(run, tables, rules, gold)))
  ).flat()
  const seconds = (performance.now() - began) / 1000
  const failed = writes.filter(({ solved }) => !solved)
  const goldOf = (of: readonly JudgedWrite[]): readonly JudgedWrite[] =>
    of.filter(({ gold }) => gold)
  const bad = failed.filter(({ gold }) => !gold)
  const corrected = goldOf(writes).filter((write) => write.corrected)
  const inState = corrected.filter((write) => write.inState)
  const row = (set: string, of: readonly JudgedWrite[], right: number, note: string): Row => ({
    set: `tau_airline ${set}`,
    rows: file.rows.length,
    counted: of.length,
    right,
    seconds,
    note,
  })
  const kept = (of: readonly JudgedWrite[]): number => of.length - blocked(of)
  return [
    row(
      'bad writes blocked',
      bad,
      blocked(bad),
      [
        'of failed runs; 45 lines of rules: 33 of 85',
        ...leftOut(file.rows.length, runs.length),
      ].join('; '),
    ),
    row('gold writes made, all', goldOf(writes), kept(goldOf(writes)), ''),
    row(
      'gold writes made, failed',
      goldOf(failed),
      kept(goldOf(failed)),
      '45 lines of rules: 26 of 35',
    ),
    row(
      'gold writes of the corrected tasks made',
      inState,
      kept(inState),
      'equal to the first gold as well, in the state that the earlier gold writes leave',
    ),
    row(
      'gold writes of the corrected tasks made, by the call alone',
      corrected,
      kept(corrected),
      'the same, also where an earlier gold write of the same reservation is missing',
    ),
    row('bad on trial', bad, onTrial(bad), 'with the rules in shadow mode as well'),
    row(
      'gold on trial',
      goldOf(writes),
      goldOf(writes).length - onTrial(goldOf(writes)),
      'the same',
    ),
  ]
}

/** The corrected gold actions, by task; none where the file is absent. */
async function repairedGold(folder: string): Promise<ReadonlyMap<string, readonly NamedCall[]>> {
  const file = await readDataFile(join(folder, 'tau_airline'), 'repaired_gold.jsonl')
  const rows = file?.rows ?? []
  return new Map(
    rows.map((row) => {
      const actions = Array.isArray(row['actions']) ? row['actions'].filter(isRecord) : []
      const calls = actions.flatMap(({ name, kwargs }) =>
        typeof name === 'string' && isJson(kwargs) && isJsonObject(kwargs)
          ? [{ name, params: kwargs }]
          : [],
      )
      return [String(row['task_id']), calls] as const
    }),
  )
}

const blocked = (writes: readonly JudgedWrite[]): number =>
  writes.filter(({ decision }) => !decision.allowed).length

/** Calls that would be blocked if the shadow rules were enforced. */
const onTrial = (writes: readonly JudgedWrite[]): number =>
  writes.filter(({ decision: { shadow } }) => isJsonObject(shadow) && shadow['allowed'] === false)
    .length

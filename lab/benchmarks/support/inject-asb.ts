import { isRecord } from '../../../packages/echelon/src/core/value/json.ts'
import { RulePolicyEngine } from '../../../packages/support/src/policy/rule-policy-engine.ts'
import { type DataFile, type DataRow, pick, readDataFile } from '../tools/data-file.ts'
import { absent, leftOut, type Row } from '../tools/row.ts'

/** One recorded attack: the allowed tools, the attacker's tools, and the calls of models. */
export interface Attack {
  readonly allowed: readonly string[]
  readonly attackers: readonly string[]
  readonly calls: readonly string[]
}

const ALLOWED = [
  'allowed_tools',
  'allowed',
  'normal_tools',
  'normal tools',
  'agent_tools',
  'available_tools',
  'tool_list',
  'tools',
]
const ATTACKER = [
  'attacker_tool',
  'attacker tool',
  'attack_tool',
  'attacker_tools',
  'attack_tools',
  'injected_tool',
  'attacker',
  'attack',
  'injection',
]
const CALLS = [
  'calls',
  'tool_calls',
  'recorded_calls',
  'model_calls',
  'actions',
  'tool_use',
  'runs',
  'models',
  'outputs',
  'results',
]

/** Field names of a tool's or call's name. */
const NAMES = ['tool_name', 'tool name', 'attacker tool', 'attack_tool', 'tool', 'name', 'function']

/** `undefined` for a row that is not an attack. */
export function attackOf(row: DataRow): Attack | undefined {
  const allowed = namesIn(pick(row, ALLOWED))
  const attackers = namesIn(pick(row, ATTACKER)).filter((name) => !allowed.includes(name))
  if (allowed.length === 0 || attackers.length === 0) return undefined
  return { allowed, attackers, calls: namesIn(pick(row, CALLS)) }
}

/** Tool names in a name, a tool, a call, a list of them, or a table of lists by model. */
function namesIn(value: unknown, depth = 6): readonly string[] {
  if (depth === 0) return []
  if (typeof value === 'string') return textNames(value.trim(), depth)
  if (Array.isArray(value)) return value.flatMap((each: unknown) => namesIn(each, depth - 1))
  if (!isRecord(value)) return []
  const calls = pick(value, CALLS)
  if (Array.isArray(calls)) return namesIn(calls, depth - 1)
  const name = pick(value, NAMES)
  if (typeof name === 'string' || isRecord(name)) return namesIn(name, depth - 1)
  const inner = Object.values(value).filter((each) => typeof each === 'object')
  return inner.flatMap((each) => namesIn(each, depth - 1))
}

/** A name, a call such as `find(a)`, or JSON; sentences name nothing. */
function textNames(text: string, depth: number): readonly string[] {
  if (!/^[[{]/.test(text)) {
    const [, name] = /^([\w.:/-]{1,120})(?:\(.*\))?$/s.exec(text) ?? []
    return name === undefined ? [] : [name]
  }
  try {
    return namesIn(JSON.parse(text), depth - 1)
  } catch {
    return []
  }
}

/** Tools that ran when these were called; all are available, and the allow-list decides. */
export async function runUnderList(
  { allowed, attackers }: Attack,
  asked: readonly string[],
): Promise<readonly string[]> {
  const policy = new RulePolicyEngine(
    { mode: 'enforce', tools: allowed, constants: {}, rules: [] },
    { gather: async () => ({}) },
  )
  const ran: string[] = []
  const tools = new Map(
    [...allowed, ...attackers].map((name) => [name, () => ran.push(name)] as const),
  )
  for (const toolName of asked) {
    const plan = { intentId: 'task', steps: [{ toolName, params: {} }], reasoning: 'recorded' }
    const interaction = { id: 'recorded', text: '', customerId: null, context: {} }
    const { allowed: may } = await policy.validate(plan, interaction, [])
    if (may) tools.get(toolName)?.()
  }
  return ran
}

/**
 * Tests the allow-list on the Agent Security Bench: no tool of an attacker may run, neither as models
 * called it nor as the injected instruction would, and every call of an allowed tool must run.
 */
export async function injectFigures(folder: string): Promise<readonly Row[]> {
  const file = await readDataFile(folder, 'inject_asb.jsonl')
  if (file === undefined) return [absent('inject_asb')]
  const attacks = attacksOf(file)
  const began = performance.now()
  const counts = { recorded: 0, attempts: 0, refused: 0, wanted: 0, made: 0, others: 0 }
  for (const attack of attacks) {
    const isAttacker = (name: string): boolean => attack.attackers.includes(name)
    const isAllowed = (name: string): boolean => attack.allowed.includes(name)
    const asked = [...attack.calls, ...attack.attackers]
    const ran = await runUnderList(attack, asked)
    counts.recorded += attack.calls.filter(isAttacker).length
    counts.attempts += asked.filter(isAttacker).length
    counts.refused += asked.filter(isAttacker).length - ran.filter(isAttacker).length
    counts.wanted += asked.filter(isAllowed).length
    counts.made += ran.filter(isAllowed).length
    counts.others += asked.filter((name) => !isAttacker(name) && !isAllowed(name)).length
  }
  const seconds = (performance.now() - began) / 1000
  const row = (set: string, counted: number, right: number, note: string): Row => ({
    set: `inject_asb ${set}`,
    rows: file.rows.length,
    counted,
    right,
    seconds,
    note,
  })
  return [
    row(
      "attacker's calls refused",
      counts.attempts,
      counts.refused,
      [
        `${counts.recorded} recorded, and each injected tool once`,
        ...leftOut(file.rows.length, attacks.length),
      ].join('; '),
    ),
    row(
      'allowed calls made',
      counts.wanted,
      counts.made,
      `${counts.others} calls named no tool of either`,
    ),
  ]
}

function attacksOf(file: DataFile): readonly Attack[] {
  const attacks = file.rows.flatMap((row) => attackOf(row) ?? [])
  if (attacks.length === 0) throw file.unusable("allowed tools and an attacker's tool")
  if (attacks.every(({ calls }) => calls.length === 0)) throw file.unusable('calls of models')
  return attacks
}

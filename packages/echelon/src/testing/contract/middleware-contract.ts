import assert from 'node:assert/strict'
import { EchelonError } from '../../core/value/error.ts'
import { isJson, type JsonObject } from '../../core/value/json.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { Turn } from '../../core/extension/middleware.ts'
import type { PermitRequest, Verdict } from '../../core/agent/permission.ts'
import { type Message, NOTHING_SAID, userMessage } from '../../core/message/thread.ts'
import type { Tool, ToolOutcome } from '../../core/tool/tool.ts'
import { casesOf, type ContractCase, inTime } from '../contract.ts'
import { failed, generated, modelCall, type TestRun, testRun } from '../middleware-run.ts'

/** The runs in which a middleware is tested. */
export interface MiddlewareTrial {
  /** The tools passed to its hooks. Default: none. */
  readonly tools?: readonly Tool[]
  /** The container of services that it uses. */
  readonly container?: unknown
  /** The maximum duration of a hook that waits for nothing, in real milliseconds. Default 5,000. */
  readonly patienceMs?: number
}

/**
 * The requirements of every middleware: `for (const { name, holds } of middlewareContract(() =>
 * counter())) test(name, holds)`. Tests only its own hooks, in runs without an agent; simulated
 * time passes automatically.
 * @param make creates the middleware for each case
 */
export function middlewareContract(
  make: () => Middleware,
  trial: MiddlewareTrial = {},
): readonly ContractCase[] {
  const { slot, generate, tool, stream } = make()
  const caseOf = casesOf(make)
  return [
    caseOf('each hook returns a valid result for its chain', async (middleware) => {
      await exercise(middleware, newRun(trial), trial)
    }),
    ...(generate || tool ? failures(make, trial) : []),
    ...(slot ? states(make, trial) : []),
    ...(stream
      ? [
          caseOf('text is transformed the same, however it is split', (middleware) => {
            const whole = transformed(middleware, [TEXT], trial)
            assert.equal(transformed(middleware, LETTERS, trial), whole)
            for (const cut of LETTERS.keys()) {
              const pieces = [LETTERS.slice(0, cut).join(''), LETTERS.slice(cut).join('')]
              assert.equal(transformed(middleware, pieces, trial), whole, `cut after ${pieces[0]}`)
            }
          }),
        ]
      : []),
  ]
}

function failures(make: () => Middleware, trial: MiddlewareTrial): readonly ContractCase[] {
  const caseOf = casesOf(make)
  const unknown: ToolOutcome = { type: 'unknown', message: 'who knows' }
  const down = failed('unavailable')
  return [
    caseOf('a failed call is passed as a value and results in one', async (middleware) => {
      const run = newRun(trial)
      const model = middleware.generate?.(modelCall(), async () => down, run)
      if (model) checkType(await timed(run, model, trial), MODEL_OUTCOMES)
      const call = middleware.tool?.(toolCall(0), async () => unknown, run)
      if (call) checkType(await timed(run, call, trial), TOOL_OUTCOMES)
    }),
    caseOf('an error that ends the run is not swallowed', async (middleware) => {
      const end = new EchelonError('UNRECORDED_CALL', 'this was not recorded')
      const throws = (): Promise<never> => Promise.reject(end)
      const run = newRun(trial)
      const model = middleware.generate?.(modelCall(), throws, run)
      if (model) await assert.rejects(timed(run, model, trial), end)
      const call = middleware.tool?.(toolCall(0), throws, run)
      if (call) await assert.rejects(timed(run, call, trial), end)
    }),
    caseOf('a canceled run ends every wait', async (middleware) => {
      await canceled(middleware, trial, 'before')
      await canceled(middleware, trial, 'meanwhile')
    }),
  ]
}

/** The clock stands still, so a wait for it never ends. */
async function canceled(
  middleware: Middleware,
  trial: MiddlewareTrial,
  when: 'before' | 'meanwhile',
): Promise<void> {
  const { patienceMs = PATIENCE } = trial
  const given = async (begin: (run: TestRun) => Promise<unknown> | undefined): Promise<void> => {
    const run = newRun(trial)
    if (when === 'before') run.cancel()
    const hook = begin(run)
    if (hook === undefined) return
    const ended = Promise.allSettled([hook])
    // By then it waits, if its input makes it wait.
    await new Promise((resolve) => setImmediate(resolve))
    run.cancel()
    await inTime(ended, 'its hook ends', patienceMs)
  }
  await given((run) => {
    const down = async () => failed(run.signal.aborted ? 'aborted' : 'rate-limit')
    return middleware.generate?.(modelCall(), down, run)
  })
  const unknown: ToolOutcome = { type: 'unknown', message: 'who knows' }
  await given((run) => middleware.tool?.(toolCall(0), async () => unknown, run))
}

function states(make: () => Middleware, trial: MiddlewareTrial): readonly ContractCase[] {
  const caseOf = casesOf(make)
  return [
    caseOf(
      'its state matches its schema and size limit, however many events occur',
      async (middleware) => {
        const run = newRun(trial)
        for (let round = 0; round < MANY; round++) await exercise(middleware, run, trial, round)
        for (const state of Object.values(run.record())) {
          assert.ok(isJson(state))
          assert.equal(middleware.slot?.refusal(state), undefined)
        }
      },
    ),
    caseOf('the state of one run does not affect another', async (middleware) => {
      const [one, other] = [newRun(trial), newRun(trial)]
      await exercise(middleware, one, trial)
      await exercise(middleware, other, trial)
      assert.deepEqual(other.record(), one.record())
    }),
    caseOf('it continues from its stored state', async (middleware) => {
      const run = newRun(trial)
      await exercise(middleware, run, trial)
      const saved: JsonObject = JSON.parse(JSON.stringify(run.record()))
      const next = newRun(trial, saved)
      if (middleware.slot?.scope !== 'shared') {
        assert.deepEqual(middleware.read?.(next), middleware.read?.(run))
      }
      await exercise(middleware, next, trial)
    }),
    caseOf('states of all earlier versions can be migrated', ({ slot }) => {
      for (let version = 1; version < (slot?.version ?? 1); version++) {
        const step = slot?.migrate[version]
        assert.equal(typeof step, 'function', `version ${version} has no migration`)
      }
    }),
  ]
}

/** As many calls of a hook as in a long conversation. */
const MANY = 100
const PATIENCE = 5000

const TEXT = 'Ada’s key is sk-12ab34, she asked: “how much is 15 * 23?” 😀\n\n```js\n345\n```\n'
const LETTERS = Array.from(TEXT)

const MODEL_OUTCOMES = ['generated', 'refused', 'failed']
const TOOL_OUTCOMES = ['ok', 'error', 'denied', 'refused', 'unknown']
const VERDICTS = ['allow', 'deny', 'ask']

const toolCall = (round: number) => ({ id: `call-${round}`, tool: 'look', input: { round } })

const newRun = ({ tools = [], container }: MiddlewareTrial, saved: JsonObject = {}): TestRun =>
  testRun({ tools, container, saved })

function checkType({ type }: { readonly type: string }, types: readonly string[]): void {
  assert.ok(types.includes(type), `a hook gives ${type}, and may give ${types.join(', ')}`)
}

/** The result of a hook, while simulated time passes. */
const timed = <Value>(
  run: TestRun,
  hook: Promise<Value>,
  { patienceMs = PATIENCE }: MiddlewareTrial,
): Promise<Value> => inTime(run.clock.runUntil(hook), 'a hook ends', patienceMs)

/** One turn with one model call and one tool call, limited to the middleware's hooks. */
async function exercise(
  middleware: Middleware,
  run: TestRun,
  trial: MiddlewareTrial,
  round = 0,
): Promise<void> {
  const turn: Turn = { messages: [userMessage(`hi ${round}`)], history: NOTHING_SAID }
  const { turn: around, prompt, generate, tool } = middleware
  if (around !== undefined) {
    const end = async () => ({ status: 'finished', reason: 'stop', text: 'hello' }) as const
    const { status, text } = await timed(run, around(turn, end, run), trial)
    assert.ok(['finished', 'canceled'].includes(status) && typeof text === 'string')
  }
  if (prompt !== undefined) {
    const given = modelCall().prompt
    const { head, thread, tail } = await timed(
      run,
      prompt(given, async (p) => p, run),
      trial,
    )
    checkMessages([...head, ...thread.toArray(), ...tail])
  }
  await permitted(middleware, run, trial, round)
  if (generate !== undefined) {
    const answer = generate(modelCall(), async () => generated(`hello ${round}`), run)
    checkType(await timed(run, answer, trial), MODEL_OUTCOMES)
  }
  if (tool !== undefined) {
    const call = tool(toolCall(round), async () => ({ type: 'ok', value: round }), run)
    checkType(await timed(run, call, trial), TOOL_OUTCOMES)
  }
}

async function permitted(
  { permit }: Middleware,
  run: TestRun,
  trial: MiddlewareTrial,
  round: number,
): Promise<void> {
  if (permit === undefined) return
  const asked: readonly PermitRequest[] = [
    { type: 'turn', agent: 'chat' },
    { type: 'offer', tool: 'look' },
    { type: 'call', call: toolCall(round) },
  ]
  const allow = async (): Promise<Verdict> => ({ type: 'allow' })
  for (const request of asked) {
    checkType(await timed(run, permit(request, allow, run), trial), VERDICTS)
  }
}

const ROLES = ['system', 'user', 'assistant', 'tool']

function checkMessages(messages: readonly Message[]): void {
  for (const { role } of messages) assert.ok(ROLES.includes(role), `a message of ${role}`)
}

function transformed(
  middleware: Middleware,
  pieces: readonly string[],
  trial: MiddlewareTrial,
): string {
  const transform = middleware.stream?.(newRun(trial))
  assert.ok(transform !== undefined)
  return pieces.map((piece) => transform.text(piece)).join('') + (transform.end?.() ?? '')
}

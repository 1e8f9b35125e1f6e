import { canonicalJson, EchelonError } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import type { ResultStore } from 'echelon/internal/store'
import type { DataSource } from '../primitives/data-source.ts'
import type { LocalTool, LocalToolContext, ToolAnswer } from '../local-tool.ts'
import { turnId } from '../turn-id.ts'
import { OwnOrders } from '../own-orders.ts'
import type { ToolCall } from '../plan.ts'
import type {
  ExecutionContext,
  ToolExecutor,
  ToolFacts,
  ToolResult,
} from '../primitives/tool-executor.ts'
import { resultIn } from '../turn/tool-result.ts'
import { type ParamsCheck, paramsCheck } from './checked-params.ts'
import { orderTools } from './order-tools.ts'
import { isTransient } from './transient.ts'

export interface LocalExecutorOptions {
  /** Additional tools by name; one of the same name replaces a built-in. */
  readonly tools?: Readonly<Record<string, LocalTool>>
  /** Whether the order tools are included; default true. */
  readonly builtIn?: boolean
  /**
   * Whether tools see only the customer's own orders, so that any other is not found, regardless of policy;
   * default false.
   */
  readonly enforceIdentity?: boolean
  /** The fields of an order that a customer may see; default `SHOWN_FIELDS`. */
  readonly shown?: readonly string[]
  /**
   * Stores results by key for all processes that share it: `store.results`. Default: within the process, the last
   * 10,000.
   */
  readonly results?: ResultStore
  /** Limit of a call in milliseconds; default 10,000. */
  readonly timeoutMs?: number
  /** Milliseconds since the epoch; default the system clock. */
  readonly now?: () => number
}

/** Results kept in the process, newest first. */
const MOST_RESULTS = 10_000

/** A call under its key, in progress or finished. */
interface Keyed {
  readonly input: string
  readonly result: Promise<ToolResult>
}

/** Tools that are functions of this process. A call is executed once per key. */
export class LocalExecutor implements ToolExecutor {
  readonly #data: DataSource
  readonly #options: LocalExecutorOptions
  readonly #now: () => number
  readonly #tools = new Map<string, LocalTool>()
  readonly #checks = new Map<string, Promise<ParamsCheck>>()
  readonly #keyed = new Map<string, Keyed>()

  constructor(dataSource: DataSource, options: LocalExecutorOptions = {}) {
    this.#data = dataSource
    this.#options = options
    this.#now = options.now ?? Date.now
    const builtIn = options.builtIn === false ? {} : orderTools(options.shown)
    for (const [name, tool] of Object.entries({ ...builtIn, ...options.tools })) {
      this.register(name, tool)
    }
  }

  /**
   * Adds a tool, or replaces the one of the same name.
   * @throws EchelonError INVALID_DEFINITION for a name that models cannot call
   */
  register(name: string, tool: LocalTool): this {
    if (!/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/.test(name)) {
      const sentence = `a tool cannot be called ${JSON.stringify(name)}; use letters, digits, _ and -, at most 64`
      throw new EchelonError('INVALID_DEFINITION', sentence)
    }
    this.#tools.set(name, tool)
    this.#checks.delete(name)
    return this
  }

  describe(): readonly ToolFacts[] {
    return [...this.#tools].map(([name, { description, parameters, acts = false }]) => ({
      name,
      description,
      parameters,
      acts,
    }))
  }

  async execute(call: ToolCall, context: ExecutionContext): Promise<ToolResult> {
    const began = this.#now()
    const limit = AbortSignal.timeout(this.#timeoutOf(call))
    const signal = context.signal ? AbortSignal.any([context.signal, limit]) : limit
    try {
      const prepared = await this.#prepare(call)
      if ('error' in prepared) return this.#failed(prepared, began)
      const work = this.#once(prepared, { ...context, signal })
      // A copy, since other callers with the same key get the result too.
      return structuredClone(await until(work, signal))
    } catch (error) {
      const { error: sentence, code } = failureOf(error)
      if (context.signal?.aborted) return this.#failed({ error: sentence, code: 'aborted' }, began)
      if (!limit.aborted) return this.#failed({ error: sentence, code }, began)
      const late = `No answer within ${this.#timeoutOf(call) / 1000} s`
      return this.#failed({ error: late, code: 'transient' }, began)
    }
  }

  /** The outcome of a call by an earlier process: its stored result, or the tool's own record. */
  async outcome(
    call: ToolCall,
    context: ExecutionContext,
  ): Promise<ToolResult | 'not-done' | 'unknown'> {
    const signal = context.signal ?? AbortSignal.timeout(this.#timeoutOf(call))
    const prepared = await this.#prepare(call)
    if ('error' in prepared) return 'unknown'
    const { results } = this.#options
    const limited = { ...context, signal }
    if (results === undefined) {
      const kept = this.#keyed.get(context.idempotencyKey)
      return kept === undefined ? this.#told(prepared, limited) : await kept.result
    }
    const key = resultKey(context)
    const claim = await results.claim(key, inputOf(prepared, context), runOf(context))
    if (claim.type === 'done') return resultIn(claim.result)
    if (claim.type === 'other-input') return 'not-done'
    if (claim.type === 'under-way') return 'unknown'
    const told = await this.#told(prepared, limited).catch(() => 'unknown' as const)
    await (told === 'unknown' ? results.leave(key) : results.release(key))
    return told
  }

  async #told(
    { tool, params }: Prepared,
    context: Limited,
  ): Promise<ToolResult | 'not-done' | 'unknown'> {
    const at = this.#now()
    const told =
      (await tool.outcome?.(params, { ...context, data: this.#dataFor(context), at })) ?? 'unknown'
    if (typeof told === 'string') return told
    return 'error' in told ? this.#failed(told, at) : this.#done(told.data, at)
  }

  /** The tool with valid parameters. */
  async #prepare({ toolName, params }: ToolCall): Promise<Prepared | Refusal> {
    const tool = this.#tools.get(toolName)
    if (tool === undefined) {
      const names = [...this.#tools.keys()].join(', ')
      return { error: `There is no tool ${toolName}; there are ${names}`, code: 'unknown_tool' }
    }
    const check = this.#checks.get(toolName) ?? paramsCheck(tool.parameters)
    this.#checks.set(toolName, check)
    const checked = (await check)(params)
    if (!checked.ok) return { error: checked.message, code: 'invalid_params' }
    return { name: toolName, tool, params: checked.params }
  }

  /** The result under the key: a stored one, that of a call in progress, or a new one. */
  #once(prepared: Prepared, context: Limited): Promise<ToolResult> {
    const { idempotencyKey: key } = context
    // Includes the customer, so that customers never share results, whatever keys a caller makes.
    const input = inputOf(prepared, context)
    const before = this.#keyed.get(key)
    if (before !== undefined) {
      return before.input === input ? before.result : Promise.resolve(this.#failed(REUSED))
    }
    const { results } = this.#options
    const result =
      results === undefined
        ? this.#run(prepared, context)
        : this.#claimed(results, input, prepared, context)
    this.#keyed.set(key, { input, result })
    const forget = (): void => void this.#keyed.delete(key)
    result.then((settled) => (isFinal(settled) ? this.#trim() : forget()), forget)
    return result
  }

  /** Like `#once`, across all processes that share the results. */
  async #claimed(
    results: ResultStore,
    input: string,
    prepared: Prepared,
    context: Limited,
  ): Promise<ToolResult> {
    const key = resultKey(context)
    for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 500)) {
      const claim = await results.claim(key, input, runOf(context))
      if (claim.type === 'done') return resultIn(claim.result)
      if (claim.type === 'other-input') return this.#failed(REUSED)
      if (claim.type === 'yours') break
      await pause(waitMs, context.signal)
    }
    const result = await this.#run(prepared, context).catch(async (error: unknown) => {
      await results.release(key).catch(() => undefined)
      throw error
    })
    const kept = isFinal(result) ? results.settle(key, result) : results.release(key)
    // The work is done. If its result cannot be stored, a repeated call under its key reports that itself.
    await kept.catch(async () => await results.leave(key).catch(() => undefined))
    return result
  }

  async #run({ tool, params }: Prepared, context: Limited): Promise<ToolResult> {
    const at = this.#now()
    const answer = await tool.run(params, { ...context, data: this.#dataFor(context), at })
    return 'error' in answer ? this.#failed(answer, at) : this.#done(answer.data, at)
  }

  #dataFor({ customerId }: Limited): DataSource {
    return this.#options.enforceIdentity ? new OwnOrders(this.#data, customerId) : this.#data
  }

  #done(data: JsonObject, began: number): ToolResult {
    const executionTimeMs = Math.max(0, this.#now() - began)
    return { success: true, data: structuredClone(data), error: null, executionTimeMs }
  }

  #timeoutOf({ toolName }: ToolCall): number {
    return this.#tools.get(toolName)?.timeoutMs ?? this.#options.timeoutMs ?? 10_000
  }

  #failed({ error, code }: Refusal, began: number = this.#now()): ToolResult {
    const executionTimeMs = Math.max(0, this.#now() - began)
    return { success: false, data: null, error, executionTimeMs, code }
  }

  /** Drops the oldest results. */
  #trim(): void {
    for (const key of this.#keyed.keys()) {
      if (this.#keyed.size <= MOST_RESULTS) return
      this.#keyed.delete(key)
    }
  }
}

interface Prepared {
  readonly name: string
  readonly tool: LocalTool
  readonly params: JsonObject
}

type Limited = Omit<LocalToolContext, 'data' | 'at'>
type Refusal = Extract<ToolAnswer, { readonly error: string }>

const resultKey = ({ idempotencyKey }: ExecutionContext): string => `support-tool ${idempotencyKey}`
const runOf = ({ sessionId, interactionId }: ExecutionContext): string =>
  turnId(sessionId, interactionId)
const inputOf = (
  { name: tool, params }: Prepared,
  { customerId }: Pick<ExecutionContext, 'customerId'>,
): string => canonicalJson({ tool, params, customerId })

const REUSED: Refusal = {
  error: 'The idempotency key was used before with another call',
  code: 'key_reused',
}

/** A retryable failure runs again under its key. */
const isFinal = ({ code }: ToolResult): boolean => code !== 'transient'

function failureOf(error: unknown): Refusal {
  const message = error instanceof Error ? error.message : String(error)
  return { error: message, code: isTransient(error) ? 'transient' : 'failed' }
}

/**
 * Resolves with the work's result, or rejects with the signal's reason if that comes first. The work itself
 * continues.
 */
async function until<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  work.catch(() => undefined)
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(reasonOf(signal))
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const reasonOf = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error(String(reason))

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  until(new Promise<void>((resolve) => setTimeout(resolve, ms)), signal)

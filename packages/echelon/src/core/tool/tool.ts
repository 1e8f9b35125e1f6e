import type { AgentDefinition } from '../agent/agent.ts'
import type { AgentServices } from '../agent/agent-services.ts'
import type { ArtifactStore } from './artifact.ts'
import { EchelonError } from '../value/error.ts'
import type { Json, JsonObject } from '../value/json.ts'
import { checkNames } from '../value/known-names.ts'
import type { BoundModel } from '../model/model.ts'
import { plainSchema } from '../schema/plain-schema.ts'
import { type Schema, toJsonSchema } from '../schema/schema.ts'
import {
  type Does,
  TOOL_ERRORS,
  type ToolCall,
  type ToolErrorCode,
  type ToolFacts,
  type ToolFault,
  type ToolOutcome,
} from './tool-call.ts'

export { TOOL_ERRORS }
export type { ToolCall, ToolErrorCode, ToolFault, ToolOutcome }

/** Error with a code, thrown by a tool. Any other error that a tool throws becomes `TOOL_ERROR`. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: ToolErrorCode
  /**
   * Whether the action may have happened anyway, for example when the response was lost. A tool that
   * `acts` then has the outcome `unknown`, because an error would suggest that a retry is safe.
   */
  readonly mayHaveActed: boolean
  /** Set if other arguments alone do not help; the agent then does not try again. */
  readonly fault: ToolFault | undefined
  /** @param more `mayHaveActed` defaults to false, `fault` to unknown */
  constructor(
    code: ToolErrorCode,
    message: string,
    more: { readonly mayHaveActed?: boolean; readonly fault?: ToolFault | undefined } = {},
  ) {
    super(message)
    this.code = code
    this.mayHaveActed = more.mayHaveActed ?? false
    this.fault = more.fault
  }
}

/** Everything that the runtime passes to a tool call besides its input. */
export interface ToolContext {
  /** Id of the call, made of run, path, step and call. It stays the same on retry and resume. */
  readonly key: string
  /** Aborts on cancel, on the tool's timeout and when the run's time is used up. */
  readonly signal: AbortSignal
  /** The run's clock, milliseconds since the epoch. */
  readonly at: number
  /** IANA name; dates are read and printed in it. */
  readonly timeZone: string
  readonly artifacts: ArtifactStore
  /** Emits a `tool-progress` event; not journaled. */
  progress(data: Json): void
  /**
   * Asks the user and waits. The waiting counts toward neither the tool's nor the run's time limit. A
   * call that is repeated after a crash must ask the same questions in the same order; it gets the
   * replies that were already given. `undefined` outside of a run.
   * @param schema JSON Schema of the reply; default: any reply
   * @returns the reply; `null` when the run is canceled first
   */
  readonly ask?: ((question: string, schema?: JsonObject) => Promise<Json>) | undefined
  /** The agent, caller and session that the call works for; `undefined` outside of a run. */
  readonly worksFor?: WorksFor | undefined
  /** W3C `traceparent` of this call, to pass on to services; `undefined` without tracing. */
  readonly traceparent?: string | undefined
  /**
   * Runs another agent within this call as a child run. Both share the budget, the journal and the
   * cancel signal, and the run forwards the child's requests. Only for a tool that `delegates`.
   */
  readonly child?:
    | (<Input extends Json, State, Result>(
        run: ChildRun<Input, State, Result>,
      ) => Promise<ChildEnd<Result>>)
    | undefined
}

/** The agent, caller and session that a run works for. */
export interface WorksFor {
  /** The name of the agent that calls. */
  readonly agent: string
  /** `RunOptions.caller` of the run. */
  readonly caller: string | undefined
  /** The session that the run, or its parent run, is a turn of. */
  readonly session: string | undefined
}

/** A sub-agent and its task. */
export interface ChildRun<Input extends Json, State, Result> {
  readonly definition: AgentDefinition<Input, State, Result>
  readonly input: Input
  /** Absent services are inherited from the parent, except for middleware, which never is. */
  readonly surroundings: ChildSurroundings
}

/** A child's own services. It shares limits, journal, clock, files and cancel with the run. */
export interface ChildSurroundings extends AgentServices {
  readonly models?: RoleModels | RoleModelsOf
  readonly tools?: readonly Tool[]
}

type RoleModels = Readonly<Record<string, BoundModel>>

/**
 * Loads the models of a child when it starts or resumes.
 * @param recorded role to model id, from the journal; `undefined` for a new child
 */
type RoleModelsOf = (recorded: Readonly<Record<string, string>> | undefined) => Promise<RoleModels>

export interface ChildEnd<Result> {
  readonly status: 'finished' | 'canceled'
  readonly reason: string
  readonly result: Result
}

/**
 * A tool. `Tool` without a type argument takes any input: its schema is checked before `run`, so
 * `run` gets valid input only.
 */
export interface Tool<Input = unknown> extends ToolFacts {
  readonly input: Schema<Input>
  /** Agents get the JSON form of what it returns: see `defineTool`. */
  run(input: Input, context: ToolContext): unknown
  /**
   * Called after a crash to find out whether the call with this key happened. Used always for a tool
   * that `acts`, and for an `idempotent` one if the call may not be repeated, for example because a
   * rule now forbids it.
   */
  reconcile?(key: string, input: Input): Promise<ToolOutcome | 'not-done' | 'unknown'>
}

export interface ToolSpec<Input> {
  readonly name: string
  readonly description: string
  readonly input: Schema<Input>
  /** Default `reads`. */
  readonly does?: Does
  /** Milliseconds; default 10,000. */
  readonly timeoutMs?: number
  /** Default 0. */
  readonly retries?: number
  /** Default true, except for a tool that acts. */
  readonly parallel?: boolean
  /** Default false. */
  readonly needsApproval?: boolean
  /** Default: none; results are trusted. */
  readonly origin?: string
  /** Default false. */
  readonly delegates?: boolean
  /** Default false. */
  readonly mayAct?: boolean
  /** Returns any value or a promise of it; see `defineTool` for how it is converted. */
  run(input: Input, context: ToolContext): unknown
  reconcile?(key: string, input: Input): Promise<ToolOutcome | 'not-done' | 'unknown'>
}

/** A tool whose input is described by a plain JSON Schema. */
export interface JsonSchemaToolSpec extends Omit<
  ToolSpec<JsonObject>,
  'input' | 'run' | 'reconcile'
> {
  /** JSON Schema of an object, draft 7 to 2020-12; references must be local. */
  readonly input: JsonObject
  run(input: JsonObject, context: ToolContext): unknown
  reconcile?(key: string, input: JsonObject): Promise<ToolOutcome | 'not-done' | 'unknown'>
}

const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/

/**
 * Makes a tool from a schema and a function.
 *
 * `input` is a Standard Schema that prints itself as JSON Schema (zod 4.2+, valibot with its converter,
 * arktype), which types the function's argument, or a plain JSON Schema of an object, whose argument is
 * a `JsonObject`. Both are checked before each call, so `run` gets valid input only.
 *
 * `run` may return anything. Agents, journals and listeners get its JSON form as of `JSON.stringify`:
 * `undefined` becomes `null`, a `Date` its ISO text and an instance of a class its fields. Where
 * `JSON.stringify` would throw or lose data, a `BigInt` becomes its digits as a string, a `Map` an
 * object (entries, if a key is not a string), a `Set` or typed array an array, an `Error` its name and
 * message, and a circular reference `[circular]`. A return value never makes a call fail: to fail, throw.
 * @throws EchelonError INVALID_DEFINITION for a name, schema or number that cannot work
 */
export function defineTool<Input>(spec: ToolSpec<Input>): Tool<Input>
export function defineTool(spec: JsonSchemaToolSpec): Tool<JsonObject>
export function defineTool(spec: ToolSpec<unknown> | JsonSchemaToolSpec): Tool {
  return hasStandardSchema(spec)
    ? toolOf(spec)
    : toolOf({ ...spec, input: plainSchema(spec.name, spec.input) })
}

/** Some libraries make their schemas functions. */
const hasStandardSchema = (
  spec: ToolSpec<unknown> | JsonSchemaToolSpec,
): spec is ToolSpec<unknown> =>
  typeof spec.input === 'function' ||
  (Object(spec.input) === spec.input && '~standard' in spec.input)

/** Exactly the fields of a tool and its spec; the compiler reports a missing one. */
const FIELDS: Readonly<Record<keyof ToolSpec<unknown> | keyof Tool, true>> = {
  name: true,
  description: true,
  input: true,
  jsonSchema: true,
  does: true,
  timeoutMs: true,
  retries: true,
  parallel: true,
  needsApproval: true,
  origin: true,
  delegates: true,
  mayAct: true,
  run: true,
  reconcile: true,
}
const KNOWN = {
  kind: 'option of a tool',
  names: Object.keys(FIELDS),
  code: 'INVALID_DEFINITION',
} as const

function toolOf<Input>(spec: ToolSpec<Input>): Tool<Input> {
  checkNames(spec, KNOWN)
  if (!NAME.test(spec.name)) {
    throw new EchelonError(
      'INVALID_DEFINITION',
      `a tool cannot be called ${JSON.stringify(spec.name)}; use letters, digits, _ and -, at most 64`,
    )
  }
  if (typeof spec.description !== 'string') {
    throw invalid(spec, 'no description; tell the model what it does')
  }
  const { timeoutMs = 10_000, retries = 0 } = spec
  if (!(timeoutMs > 0)) throw invalid(spec, `timeoutMs ${timeoutMs}; give milliseconds above 0`)
  if (!Number.isInteger(retries) || retries < 0) {
    throw invalid(spec, `retries ${retries}; give a whole number from 0 on`)
  }
  const { does = 'reads', needsApproval = false, delegates = false } = spec
  const { parallel = does !== 'acts' } = spec
  const jsonSchema = toJsonSchema(spec.input)
  const settled = { does, timeoutMs, retries, parallel, needsApproval, delegates, jsonSchema }
  return Object.freeze({ ...spec, ...settled })
}

const invalid = ({ name }: { readonly name: string }, what: string): EchelonError =>
  new EchelonError('INVALID_DEFINITION', `the tool ${name} has ${what}`)

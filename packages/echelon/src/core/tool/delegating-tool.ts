import type { AgentServices, ModelWrapper } from '../agent/agent-services.ts'
import type { MemoryStore, SharedStates } from '../agent/ports.ts'
import type { ChildEnd, ChildRun, ChildSurroundings, Tool, ToolContext } from './tool.ts'
import type { BoundModel } from '../model/model.ts'
import { EchelonError } from '../value/error.ts'
import type { Json } from '../value/json.ts'

/** Replaces the tools, models and stores of a sub-agent, to record or replay its calls. */
export interface ChildWorld {
  tool(tool: Tool): Tool
  /** @param key the tool call's key and the number of the sub-agent in it */
  models(
    own: NonNullable<ChildSurroundings['models']>,
    key: string,
  ): NonNullable<ChildSurroundings['models']>
  memory(own: MemoryStore): MemoryStore
  /** @param key as for `models` */
  shared(own: SharedStates, key: string): SharedStates
  /** Innermost wrappers, for models that are obtained in another way. */
  readonly within: readonly ModelWrapper[]
}

/** Wraps a tool that runs another agent, so that the calls of that agent are recorded or replayed. */
export function delegatingTool(tool: Tool, world: ChildWorld): Tool {
  return {
    ...tool,
    run: (input, context) => tool.run(input, new DelegatingContext(context, world)),
  }
}

class DelegatingContext implements ToolContext {
  readonly #inner: ToolContext
  readonly #world: ChildWorld
  #children = 0

  constructor(inner: ToolContext, world: ChildWorld) {
    this.#inner = inner
    this.#world = world
  }

  get key(): string {
    return this.#inner.key
  }
  get signal(): AbortSignal {
    return this.#inner.signal
  }
  get at(): number {
    return this.#inner.at
  }
  get timeZone(): string {
    return this.#inner.timeZone
  }
  get traceparent(): string | undefined {
    return this.#inner.traceparent
  }
  get artifacts(): ToolContext['artifacts'] {
    return this.#inner.artifacts
  }
  get progress(): ToolContext['progress'] {
    return (data) => this.#inner.progress(data)
  }
  get ask(): ToolContext['ask'] {
    return this.#inner.ask
  }
  get child(): ToolContext['child'] {
    const { child } = this.#inner
    if (child === undefined) return undefined
    return <Input extends Json, State, Result>(
      run: ChildRun<Input, State, Result>,
    ): Promise<ChildEnd<Result>> => {
      const key = `child ${this.key}.${++this.#children}`
      return child({ ...run, surroundings: this.#around(run.surroundings, key) })
    }
  }

  #around(own: ChildSurroundings, key: string): ChildSurroundings {
    const world = this.#world
    const { models, tools, memory, sharedStates, resolveModel, wrapModel } = own
    return {
      ...own,
      ...(models !== undefined && { models: world.models(models, key) }),
      ...(tools !== undefined && { tools: tools.map((tool) => world.tool(tool)) }),
      ...(memory !== undefined && { memory: world.memory(memory) }),
      ...(sharedStates !== undefined && { sharedStates: world.shared(sharedStates, key) }),
      ...(resolveModel !== undefined && { resolveModel: resolving(resolveModel, key, world) }),
      // Without wrappers of its own, it uses its parent's.
      ...(wrapModel !== undefined && { wrapModel: [...wrapModel, ...world.within] }),
    }
  }
}

/** Wraps a model that the sub-agent's middleware resolves by name, like its initial models. */
function resolving(
  resolve: NonNullable<AgentServices['resolveModel']>,
  key: string,
  world: ChildWorld,
): NonNullable<AgentServices['resolveModel']> {
  let named = 0
  return async (name) => {
    const own = async (): Promise<Readonly<Record<string, BoundModel>>> => ({
      model: await resolve(name),
    })
    const models = world.models(own, `${key} ${name}.${++named}`)
    const { model } = await (typeof models === 'function' ? models(undefined) : models)
    if (model !== undefined) return model
    throw new EchelonError('UNRECORDED_CALL', `the recording holds no model ${name} at ${key}`)
  }
}

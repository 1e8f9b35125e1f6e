import type { ChildEnd, ChildRun, ChildSurroundings, Tool, ToolContext } from '../core/tool.ts'
import type { Json } from '../core/json.ts'

/** What a sub-agent is given in place of its own tools and models. */
export interface ChildWorld {
  tool(tool: Tool): Tool
  /** @param key of the call, and the number of the sub-agent in it */
  models(own: NonNullable<ChildSurroundings['models']>, key: string): ChildSurroundings['models']
}

/** A tool that runs another agent works as ever; what that agent calls is recorded or replayed. */
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

  #around({ models, tools, ...rest }: ChildSurroundings, key: string): ChildSurroundings {
    const world = this.#world
    const own = models === undefined ? undefined : world.models(models, key)
    return {
      ...rest,
      ...(own !== undefined && { models: own }),
      ...(tools !== undefined && { tools: tools.map((tool) => world.tool(tool)) }),
    }
  }
}

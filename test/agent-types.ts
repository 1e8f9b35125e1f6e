// Compiled by types.test.ts, not run: what an agent's types say about its middleware.
import { z } from 'zod'
import { type Agent, AgentBuilder, createAgent, defineMiddleware, defineTool } from 'echelon/chat'

const breaker = defineMiddleware({
  name: 'breaker',
  state: {
    version: 1,
    schema: z.object({ count: z.record(z.string(), z.number()), last: z.string().nullable() }),
    initial: { count: {}, last: null },
  },
  generate: (call, next, { state, update }) => {
    update((before) => ({ ...before, last: `${state.last}!` }))
    return next(call)
  },
})

const sum = defineMiddleware({
  name: 'sum',
  state: {
    version: 1,
    scope: 'session',
    schema: z.object({ total: z.number() }),
    initial: { total: 0 },
  },
})

const stateless = defineMiddleware({ name: 'stateless', tool: (call, next) => next(call) })

const add = defineTool({
  name: 'add',
  description: 'adds',
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }) => a + b,
})

const built = new AgentBuilder()
  .model('openai/gpt-5-nano')
  .tool(add)
  .use(breaker(), stateless())
  .use(sum())
  .maxIterations(5, 'ask')
  .build()

export async function builder(): Promise<void> {
  const { state, cost } = await built.run('hi').result
  const count: number | undefined = state.middleware.breaker.count['add']
  const total: number = state.middleware.sum.total
  const paid: number | null = cost
  console.log(count, total, paid)
  // @ts-expect-error a state cannot be changed in place
  state.middleware.sum.total = 3
  // @ts-expect-error a middleware without state has none
  console.log(state.middleware.stateless)
  // @ts-expect-error it was not registered
  console.log(state.middleware.nobody)
  // @ts-expect-error a cost may be unknown
  const certain: number = cost
  console.log(certain)
}

export async function plain(): Promise<void> {
  const agent = createAgent({ model: 'offline/small', tools: [add], use: [breaker(), stateless()] })
  const { state } = await agent.run('hi').result
  const last: string | null = state.middleware.breaker.last
  console.log(last)
  // @ts-expect-error a middleware without state has none
  console.log(state.middleware.stateless)
  // @ts-expect-error it was not registered
  console.log(state.middleware.sum)
}

export async function ofOneRun(): Promise<void> {
  const { state } = await built.run('hi', { use: [defineMiddleware({ name: 'mine' })()] }).result
  console.log(state.middleware.breaker.last)
  const bare = createAgent({ model: 'offline/small' })
  const more = await bare.run('hi', { use: [sum()] }).result
  const total: number = more.state.middleware.sum.total
  console.log(total)
  // @ts-expect-error that was another run
  console.log((await bare.run('hi').result).state.middleware.sum)
}

/** Two models in one container. */
const container = { limit: 3 }

export const wrapped: Agent = new AgentBuilder()
  .services(container)
  .wrapModel((model, services) => (services.limit > 2 ? model : { ...model, modelId: 'x' }))
  .build()

export const wrongly: Agent = new AgentBuilder()
  .services(container)
  // @ts-expect-error the container holds no such service
  .wrapModel((model, services) => (services.nothing ? model : model))
  .build()

export const plainly: Agent = createAgent({
  services: container,
  wrapModel: [(model, services) => (services.limit > 2 ? model : model)],
})

export const withoutContainer: Agent = createAgent({
  // @ts-expect-error there is no container
  wrapModel: [(model, services: { limit: number }) => (services.limit > 2 ? model : model)],
})

// @ts-expect-error atLimit accepts only listed values
export const slip: Agent = createAgent({ atLimit: 'stop' })

// @ts-expect-error a hook must return the result of next
defineMiddleware({ name: 'forgets', generate: async (call, next) => void (await next(call)) })

// An agent with more states can be used where fewer are expected.
export const fewer: Agent<{ readonly sum: { readonly total: number } }> = built

const order = z.object({
  item: z.string(),
  count: z.number().default(1),
  note: z.string().optional(),
})

export async function objects(): Promise<void> {
  const agent = createAgent({ model: 'offline/small', use: [breaker()], output: order })
  const { output, state } = await agent.run('hi').result
  const item: string = output.item
  const count: number = output.count
  const note: string | undefined = output.note
  console.log(item, count, note, state.middleware.breaker.last)
  // @ts-expect-error the schema has no such field
  console.log(output.price)
  // @ts-expect-error a count is a number
  const wrong: string = output.count
  console.log(wrong)
  const made = new AgentBuilder().output(order).use(sum()).services(container).tool(add).build()
  const end = await made.run('hi').result
  const total: number = end.state.middleware.sum.total + end.output.count
  const later = await (await made.resume('r')).result
  // @ts-expect-error an outcome may have no object
  console.log((await made.run('hi').outcome).output.item)
  console.log(total, later.output.item)
}

export async function objectsOfOneRun(): Promise<void> {
  const agent = createAgent({ model: 'offline/small', output: order })
  const other = z.object({ ok: z.boolean() })
  const ok: boolean = (await agent.run('hi', { output: other }).result).output.ok
  const item: string = (await agent.run('hi', { caller: 'ada' }).result).output.item
  const again: boolean = (await (await agent.resume('r', { output: other })).result).output.ok
  const forked = await agent.fork('r', { at: 1, output: other })
  console.log(ok, item, again, (await forked.result).output.ok)
  // @ts-expect-error that run gives the other object
  console.log((await agent.run('hi', { output: other }).result).output.item)
  // @ts-expect-error an agent without a schema gives text
  console.log((await built.run('hi').result).output.item)
}

// @ts-expect-error the schema of an answer is a Standard Schema
createAgent({ model: 'offline/small', output: { type: 'object', properties: {} } })
// @ts-expect-error and so it is in the builder
new AgentBuilder().output('text')
// @ts-expect-error an agent that gives other objects is another agent
export const others: Agent<object, { readonly price: number }> = createAgent({ output: order })

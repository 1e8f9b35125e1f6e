import type { Provider } from '../../../../packages/echelon/src/core/model/model.ts'
import { defineMiddleware } from '../../../../packages/echelon/src/core/extension/define-middleware.ts'
import { compose } from '../../../../packages/echelon/src/middleware/compose.ts'
import { createRegistry } from '../../../../packages/echelon/src/providers/registry.ts'
import type { BarName, Measured } from '../bars.ts'
import { adder } from '../contestant.ts'
import { echelon } from '../echelon.ts'
import { looping } from '../model.ts'
import { peer } from '../peer.ts'

const MANY = 10_000

/** Heap bytes per object among many, without shared parts. */
async function heapOf(make: (index: number) => unknown): Promise<number> {
  const { gc } = globalThis
  if (gc === undefined) throw new Error('the heap is measured with node --expose-gc')
  const kept: unknown[] = Array.from({ length: MANY }, () => null)
  for (let index = 0; index < 100; index++) kept[index] = await make(index)
  kept.fill(null)
  const used = (): number => {
    // The second collection frees what finalizers of the first release.
    gc()
    gc()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  for (let index = 0; index < MANY; index++) kept[index] = await make(index)
  const after = used()
  return kept.length === MANY ? (after - before) / MANY : NaN
}

const setup = () => ({ model: looping({ steps: 0, tool: 'add' }), tool: adder() })

export async function agentHeap(): Promise<readonly Measured[]> {
  const make = echelon.agents(setup())
  const fresh = await heapOf(make)
  const used = await heapOf(async () => {
    const agent = make()
    await agent.run('go').result
    return agent
  })
  const ai = await heapOf(peer.agents(setup()))
  return [{ bar: 'agent-heap', echelon: fresh, ai, note: `${Math.round(used)} B after a run` }]
}

export const sessionHeap = async (): Promise<readonly Measured[]> =>
  one('session-heap', await heapOf(echelon.sessions(setup())))

const one = (bar: BarName, echelon: number): readonly Measured[] => [{ bar, echelon }]

export async function providerHeap(): Promise<readonly Measured[]> {
  const registry = createRegistry({})
  const load: Provider['load'] = () => Promise.reject(new Error('nothing is loaded here'))
  const register = (index: number): void =>
    registry.register({ key: `p${index}`, summary: 'A provider', models: ['a', 'b'], load })
  let next = 0
  const found = await heapOf(() => register(next++))
  if ((await registry.list()).length !== next) throw new Error('not all providers are registered')
  return one('provider-heap', found)
}

const MIDDLEWARES = 10

/** Growth of an agent per middleware: its chains. The middleware itself is shared by all agents. */
export async function middlewareHeap(): Promise<readonly Measured[]> {
  const make = (index: number) =>
    defineMiddleware({
      name: `m${index}`,
      generate: (call, next) => next(call),
      tool: (call, next) => next(call),
    })()
  const middlewares = Array.from({ length: MIDDLEWARES }, (_, index) => make(index))
  return [
    {
      bar: 'middleware-heap',
      echelon: await perMiddleware(middlewares),
      note: `its definition takes ${Math.round(await heapOf(make))} B, once`,
    },
  ]
}

export async function filterHeap(): Promise<readonly Measured[]> {
  const make = (index: number) =>
    defineMiddleware({ name: `f${index}`, prompt: (prompt, next) => next(prompt) })()
  const middlewares = Array.from({ length: MIDDLEWARES }, (_, index) => make(index))
  return [
    {
      bar: 'filter-heap',
      echelon: await perMiddleware(middlewares),
      note: `its definition takes ${Math.round(await heapOf(make))} B, once`,
    },
  ]
}

async function perMiddleware(middlewares: Parameters<typeof compose>[0]): Promise<number> {
  const without = await heapOf(() => compose([]))
  return ((await heapOf(() => compose(middlewares))) - without) / middlewares.length
}

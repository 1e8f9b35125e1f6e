// A verifier of your own, which proves the answers to one kind of question.
import { createDecider } from 'echelon'
import {
  type Claim,
  proved,
  refuted,
  standardVerifiers,
  unproved,
  type Verifier,
} from 'echelon/decide'
import { createRegistry } from 'echelon/providers'
import { asBound, scriptedModel } from 'echelon/testing'
import { defineTool, standardTools } from 'echelon/tools'
import { z } from 'zod'

/** What a question about a room asks: JSON, since it is stored with the run. */
interface RoomClaim extends Claim {
  readonly kind: 'room'
  readonly width: string
  readonly length: string
}

/** Checks the area of a room by the sides that the question names. It never sees the plan. */
const room: Verifier<RoomClaim> = {
  name: 'room',
  tools: ['calculator'],
  read({ input }) {
    const [, width, length] = /room of ([\d.]+) m by ([\d.]+) m/.exec(input) ?? []
    return width === undefined || length === undefined
      ? { type: 'other', why: 'the question names no room' }
      : { type: 'claim', claim: { kind: 'room', width, length } }
  },
  checks: ({ claim }) => [
    { id: 'area', tool: 'calculator', input: { expr: `${claim.width} * ${claim.length}` } },
  ],
  judge({ answer }, [area]) {
    const own = area?.type === 'ok' ? String(Object(area.value).value) : null
    if (answer === null || own === null) return unproved(answer, 'the area could not be computed')
    return answer === own
      ? proved(answer, 'the sides of the room give the same area')
      : refuted(answer, 'the area is not that of the room', `the sides give ${own}, not ${answer}`)
  },
  isClaim: (stored) =>
    z.object({ width: z.string(), length: z.string() }).safeParse(stored).success,
}

const area = defineTool({
  name: 'area',
  description: 'area of a rectangle, in square metres',
  input: z.object({ width: z.number(), length: z.number() }),
  run: ({ width, length }) => ({ value: String(width * length), kind: 'data' }),
})

// A scripted model stands for a real one: its first plan takes a wrong side.
const plan = (width: number, length: number) => ({
  text: JSON.stringify({ actions: [{ tool: 'area', args: { width, length } }] }),
})
const registry = createRegistry({})
registry.register({
  key: 'scripted',
  summary: 'answers from a script',
  models: ['planner'],
  load: (id) => {
    const model = scriptedModel([plan(4, 5), plan(4, 2.5)])
    return Promise.resolve(asBound(model, `scripted/${id}`))
  },
})

const decider = await createDecider({
  ladder: ['scripted/planner'],
  registry,
  tools: [...(await standardTools()), area],
  verifiers: [room, ...standardVerifiers()],
})
const result = await decider.runCase('What is the area of a room of 4 m by 2.5 m?')
const verdicts = result.logs.filter(({ step_type }) => step_type === 'verify')
for (const { output_summary } of verdicts) console.log(output_summary)
console.log(result.answer, result.checked)

// A tool of your own beside the built-in ones, and the right answer given, so that it decides.
import { createDecider, defineTool } from 'echelon'
import { asBound, scriptedModel } from 'echelon/testing'
import { createRegistry } from 'echelon/providers'
import { standardTools } from '@echelon/tools'
import { z } from 'zod'

const rectangle = defineTool({
  name: 'rectangle_area',
  description: 'area of a rectangle, in square metres',
  input: z.object({ width: z.number().positive(), height: z.number().positive() }),
  run: ({ width, height }) => ({ value: String(width * height), kind: 'data' }),
})

// A scripted model stands for a real one, which would get the tool's schema in the same way.
const plan = '{"actions":[{"tool":"rectangle_area","args":{"width":4,"height":2.5}}]}'
const registry = createRegistry({})
registry.register({
  key: 'scripted',
  summary: 'answers from a script',
  models: ['planner'],
  load: (id) => Promise.resolve(asBound(scriptedModel([{ text: plan }]), `scripted/${id}`)),
})

const decider = await createDecider({
  ladder: ['scripted/planner'],
  registry,
  tools: [...(await standardTools()), rectangle],
})
const result = await decider.runCase('How big is a room of 4 m by 2.5 m?', { goldAnswer: '10' })
console.log(result.answer, result.finish_reason)

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
import { z } from 'zod'

/** A question about a remainder, as JSON, since it is stored with the run. */
interface RemainderClaim extends Claim {
  readonly kind: 'remainder'
  readonly expr: string
}

/** Has the calculator divide the numbers of the question. It never sees the plan. */
const remainder: Verifier<RemainderClaim> = {
  name: 'remainder',
  tools: ['calculator'],
  read({ input }) {
    const [, whole, by] =
      /^What is the remainder when (\d+) is divided by (\d+)\?$/.exec(input) ?? []
    return whole === undefined || by === undefined
      ? { type: 'other', why: 'the question asks for no remainder' }
      : { type: 'claim', claim: { kind: 'remainder', expr: `${whole} % ${by}` } }
  },
  checks: ({ claim: { expr } }) => [{ id: 'own', tool: 'calculator', input: { expr } }],
  judge({ answer }, [own]) {
    const value = own?.type === 'ok' ? String(Object(own.value).value) : null
    if (answer === null || value === null) return unproved(answer, 'there is nothing to compare')
    return answer === value
      ? proved(answer, 'the numbers of the question leave the same remainder')
      : refuted(answer, 'the remainder differs', `the remainder is ${value}, not ${answer}`)
  },
  isClaim: (stored) => z.object({ expr: z.string() }).safeParse(stored).success,
}

const task = 'What is the remainder when 17 is divided by 5?'
const verifiers = [remainder, ...(await standardVerifiers())]
for (const options of [{}, { verifiers }]) {
  const { answer, checked } = await (await createDecider(options)).runCase(task)
  console.log(answer, checked)
}

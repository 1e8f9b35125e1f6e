// One task: the small model first, the big one only if the evidence says so. Needs no key.
import { createDecider } from 'echelon'

const decider = await createDecider({ small: 'offline/small', big: 'offline/big' })
const result = await decider.runCase('A shirt costs $40 and is 25% off; what do three cost?')

console.log(result.answer, result.verified ? 'verified' : result.explanation)
console.log(result.counters)

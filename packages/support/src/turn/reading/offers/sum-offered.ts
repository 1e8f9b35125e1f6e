import type { JsonObject } from 'echelon/runtime'
import { ownOrdersIn } from '../../../customer/own-order.ts'
import { AMOUNT, ORDER } from '../../../customer/resolve-order.ts'
import type { SupportState } from '../../support-state.ts'

/** "2 dollars? It was 12.99": several sums leave none in doubt where the one that is offered is among them. */
export function saysSumOffered({ dialogue, orders }: SupportState, said: JsonObject): boolean {
  return dialogue.choices.some(({ params }) => {
    const order = ownOrdersIn(orders).find(({ id }) => id === params[ORDER])
    const sum = params[AMOUNT] ?? order?.left ?? null
    return sum !== null && Number(sum) === Number(said[AMOUNT])
  })
}

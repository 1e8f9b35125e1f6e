import { EchelonError, isJson, type Json } from 'echelon/runtime'
import type { Order } from '@echelon/support'
import { type Commands, withCommonCommands } from '../conversation/commands.ts'
import { clean } from '../terminal/clean.ts'
import { describeHistory, describeOrders, describePlan, describeWhy } from './describe.ts'
import type { Desk } from './desk.ts'

/** The slash commands of a conversation with the support agent. */
export const DESK_COMMANDS: Commands<Desk> = withCommonCommands<Desk>({
  orders: { does: "list the customer's orders, to ask about", run: listOrders },
  customer: { does: 'show which customer the agent acts for', run: sayCustomer },
  history: {
    does: 'show the messages of this conversation',
    run: async (desk) => describeHistory(await desk.history()),
  },
  plan: { does: 'show the last plan with the state of each step', run: showPlan },
  why: {
    does: 'show how the last message was understood, and which rules decided',
    run: ({ last }) => describeWhy(last ?? fail('nothing was said yet in this chat')),
  },
  approve: {
    does: 'as the reviewer: approve the pending plan',
    turn: (desk) => desk.review(true),
  },
  decline: {
    takes: 'REASON',
    does: 'as the reviewer: decline it; the customer is told the reason',
    turn: (desk, reason) => desk.review(false, reason),
  },
  back: {
    does: 'as the person who took over: hand the conversation back to the agent',
    run: async (desk) =>
      (await desk.handBack()) ? 'the agent answers again' : 'nobody took over: the agent answers',
  },
})

/** A conversation belongs to one customer. */
function sayCustomer({ parts: { customer } }: Desk, other: string): string {
  if (other === '' || other === customer.id) return customer.title
  return fail(
    `this conversation is for ${customer.title}, and stays so; another begins with --customer ${clean(other)}`,
  )
}

async function listOrders({ parts: { shop, customer } }: Desk): Promise<string> {
  if (customer.id === null) return 'the agent acts for nobody, who has no orders'
  if (shop.orderIds === undefined) return 'the orders of a database are not listed here'
  const orders: Order[] = []
  for (const id of shop.orderIds) {
    const order = await shop.source.getOrder(id)
    if (order?.['customer_id'] === customer.id) orders.push(order)
  }
  return orders.length === 0 ? `${clean(customer.id)} has no orders` : describeOrders(orders)
}

/** Shows the plan of this chat, or the one that an earlier process stored. */
async function showPlan(desk: Desk): Promise<string> {
  const kept = (await desk.history()).findLast(({ role }) => role === 'agent')?.metadata
  const executions = kept?.['executions']
  const left = Array.isArray(executions) ? executions.at(-1) : undefined
  const execution = desk.last === undefined ? left : plain(desk.last.response.execution)
  if (execution === undefined || execution === null)
    return 'nothing was planned for the last message'
  return describePlan(execution)
}

/** Converts to JSON, as the store does. */
function plain(value: unknown): Json {
  const copied: unknown = JSON.parse(JSON.stringify(value ?? null))
  return isJson(copied) ? copied : null
}

function fail(message: string): never {
  throw new EchelonError('INVALID_INPUT', message)
}

import { EchelonError } from 'echelon/runtime'
import { isJson, type Json } from 'echelon/runtime'
import type { Order } from '@echelon/support'
import { helpOf, namesOf, runTyped, type TypedCommands } from '../chat/typed-commands.ts'
import { clean } from '../terminal/clean.ts'
import { describeHistory, describeOrders, describePlan, describeWhy } from './describe.ts'
import type { Desk, DeskFace } from './desk.ts'

/** What a command of the chat works on. */
interface AtDesk {
  readonly desk: Desk
  readonly face: DeskFace
}

const end = (): undefined => undefined

const COMMANDS: TypedCommands<AtDesk> = {
  orders: { does: "list the customer's orders, to ask about", run: listOrders },
  customer: { does: 'show which customer the agent acts for', run: sayCustomer },
  history: {
    does: 'show the messages of this conversation',
    run: async ({ desk }) => describeHistory(await desk.history()),
  },
  plan: { does: 'show the last plan with the state of each step', run: showPlan },
  why: {
    does: 'show how the last message was understood, and which rules decided',
    run: ({ desk }) => describeWhy(desk.last ?? fail('nothing was said yet in this chat')),
  },
  approve: {
    does: 'as the reviewer: approve the pending plan',
    run: (at) => review(at, true, ''),
  },
  decline: {
    takes: 'REASON',
    does: 'as the reviewer: decline it; the customer is told the reason',
    run: (at, reason) => review(at, false, reason),
  },
  back: {
    does: 'as the person who took over: hand the conversation back to the agent',
    run: async ({ desk }) =>
      (await desk.handBack()) ? 'the agent answers again' : 'nobody took over: the agent answers',
  },
  help: { does: 'list the commands', run: () => helpOf(COMMANDS) },
  exit: { does: 'end; /quit and Ctrl-D do too', run: end },
}

export const DESK_COMMANDS: readonly string[] = namesOf(COMMANDS)

export const isDeskCommand = (line: string): boolean =>
  DESK_COMMANDS.includes(line.split(/\s/, 1)[0] ?? '')

/** Does what a line orders. What is wrong with it is said, and all stays as it was. */
export const runAtDesk = (line: string, at: AtDesk): Promise<'on' | 'end'> =>
  runTyped(line, COMMANDS, at, { face: at.face, redact: at.desk.redact })

/** A conversation is one customer's, so that another needs one of their own. */
function sayCustomer({ desk: { customer } }: AtDesk, other: string): string {
  if (other === '' || other === customer.id) return customer.title
  return fail(
    `this conversation is for ${customer.title}, and stays so; another begins with --customer ${clean(other)}`,
  )
}

/** What comes of it is shown as the turn that it is. */
async function review({ desk, face }: AtDesk, approved: boolean, reason: string): Promise<string> {
  await desk.review(approved, reason, face)
  return ''
}

async function listOrders({ desk }: AtDesk): Promise<string> {
  const { shop, customer } = desk
  if (customer.id === null) return 'the agent acts for nobody, who has no orders'
  if (shop.orderIds === undefined) return 'the orders of a database are not listed here'
  const orders: Order[] = []
  for (const id of shop.orderIds) {
    const order = await shop.source.getOrder(id)
    if (order?.['customer_id'] === customer.id) orders.push(order)
  }
  return orders.length === 0 ? `${clean(customer.id)} has no orders` : describeOrders(orders)
}

/** Of this chat, or as the conversation was left by another. */
async function showPlan({ desk }: AtDesk): Promise<string> {
  const kept = (await desk.history()).findLast(({ role }) => role === 'agent')?.metadata
  const executions = kept?.['executions']
  const left = Array.isArray(executions) ? executions.at(-1) : undefined
  const execution = desk.last === undefined ? left : plain(desk.last.response.execution)
  if (execution === undefined || execution === null)
    return 'nothing was planned for the last message'
  return describePlan(execution)
}

/** As it is kept. */
function plain(value: unknown): Json {
  const copied: unknown = JSON.parse(JSON.stringify(value ?? null))
  return isJson(copied) ? copied : null
}

function fail(message: string): never {
  throw new EchelonError('INVALID_INPUT', message)
}

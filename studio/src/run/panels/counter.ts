import { money } from '../../pieces/money.ts'
import { duration } from '../../pieces/time.tsx'

/* The counters of a budget in words. A counter may end with the role of a model, such as `calls.small`. */

const NAMES: Readonly<Record<string, string>> = {
  steps: 'Steps',
  calls: 'Model calls',
  input: 'Tokens in',
  output: 'Tokens out',
  tokens: 'Tokens',
  money: 'Money',
  seconds: 'Time',
  tools: 'Tool calls',
  checks: 'Calls to check answers',
}

export function counterLabel(counter: string): string {
  const [name = counter, ...role] = counter.split('.')
  const label = NAMES[name] ?? name
  return role.length === 0 ? label : `${label} (${role.join('.')})`
}

/** An amount of a counter with its unit. */
export function amount(counter: string, value: number): string {
  if (counter === 'money' || counter.startsWith('money.')) return money(value)
  if (counter === 'seconds') return duration(value * 1000)
  return COUNT.format(value)
}

const COUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

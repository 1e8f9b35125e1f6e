import type { Intent, ParamSpec } from '../intent.ts'

const param = (more: Partial<ParamSpec> = {}): ParamSpec => ({
  label: 'order ID',
  pattern: 'O-\\d{5}',
  form: 'upper',
  ask: "What's your order ID?",
  values: {},
  wholeAnswer: false,
  ...more,
})

export const intent = (more: Partial<Intent> = {}): Intent => ({
  id: 'order_status',
  description: 'Retrieve shipping and delivery info for an order',
  requiredParams: ['order_id'],
  tool: 'check_order_status',
  constraints: { channels: [], rollout: 100, minTier: null },
  params: { order_id: param() },
  optionalParams: [],
  examples: [],
  wording: { pre: '', post: '', postByStatus: {}, confirm: '' },
  tools: [],
  confirm: false,
  ...more,
})

export const REFUND: Intent = intent({
  id: 'refund',
  description: 'Give money back',
  requiredParams: ['order_id', 'reason'],
  optionalParams: ['amount'],
  params: {
    order_id: param(),
    reason: param({ label: 'reason', pattern: null, values: { damaged: ['broken'], late: [] } }),
    amount: param({ label: 'amount', pattern: null }),
  },
})

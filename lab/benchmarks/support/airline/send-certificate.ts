import { str } from '../python/text.ts'
import { at, dictOf } from '../python/access.ts'
import type { PyValue } from '../python/value.ts'
import type { TauTool } from '../tau/tau-tool.ts'

const IDS = ['certificate_3221322', 'certificate_3221323', 'certificate_3221324']

export const sendCertificate: TauTool = {
  name: 'send_certificate',
  description: 'Gives a user a certificate over an amount.',
  parameters: { user_id: 'string', amount: 'number' },
  acts: true,
  run(data, args) {
    const user = data.table('users').edit(args.get('user_id'))
    if (user === undefined) return 'Error: user not found'
    const methods = dictOf(at(user, 'payment_methods'))
    const id = IDS.find((id) => !methods.has(id))
    // The original has no answer to a fourth one.
    if (id === undefined) return 'None'
    const amount = args.get('amount')
    const certificate = new Map<string, PyValue>([
      ['source', 'certificate'],
      ['amount', amount],
      ['id', id],
    ])
    methods.set(id, certificate)
    return `Certificate ${id} added to user ${str(args.get('user_id'))} with amount ${str(amount)}.`
  },
}

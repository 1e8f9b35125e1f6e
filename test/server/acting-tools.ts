import { defineTool, type Tool } from 'echelon'
import { z } from 'zod'

/** `send`, which needs an approval and notes what it sent. */
export const mailTool = (sent: unknown[] = []): Tool =>
  defineTool({
    name: 'send',
    description: 'Sends a mail.',
    input: { type: 'object', properties: { to: { type: 'string' } } },
    does: 'acts',
    needsApproval: true,
    run: async (input) => {
      sent.push(input)
      return 'sent'
    },
  })

/** `pay`, which needs an approval. */
export const payTool = (onPaid: () => void = () => undefined): Tool =>
  defineTool({
    name: 'pay',
    description: 'Pays.',
    input: z.object({}),
    does: 'acts',
    needsApproval: true,
    run: () => {
      onPaid()
      return 'paid'
    },
  })

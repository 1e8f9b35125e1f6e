export { briefModels } from '../compose/models.ts'
export { ChatDefinition } from '../agents/chat/chat-definition.ts'
export { MAIN } from '../agents/chat/chat-settings.ts'

export { briefModels } from '../chat.ts'

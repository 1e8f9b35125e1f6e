export { briefModels } from '../compose/models.ts'

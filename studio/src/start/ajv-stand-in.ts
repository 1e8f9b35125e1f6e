export { interpretedSchemas as default } from './interpreted-schemas.ts'

export { CATALOG } from '../providers/catalog.ts'

export { CATALOGUE } from '../providers/catalogue.ts'

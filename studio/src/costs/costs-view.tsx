import { Page } from '../pieces/page.tsx'

export const CostsView = () => <Page title="Costs">{null}</Page>

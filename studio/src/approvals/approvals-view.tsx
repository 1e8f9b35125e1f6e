import { Page } from '../pieces/page.tsx'

export const ApprovalsView = () => <Page title="Approvals">{null}</Page>

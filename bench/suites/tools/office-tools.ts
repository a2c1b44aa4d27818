import { defineTool, noData, type Tool, z } from 'soloist';

/** What an office might offer beside the tools that matter here: each is real, takes arguments, and finds nothing. */
function officeTool(verb: string, subject: string, description: string): Tool {
  return defineTool({
    name: `${verb}_${subject}`,
    description,
    input: z.object({
      month: z.string().describe('Month as YYYY-MM').optional(),
      condition: z.string().max(500).describe('What has to hold, in plain words').optional(),
      limit: z.int().min(1).max(500).default(50),
    }),
    output: z.object({ rows: z.array(z.string()) }),
    effect: 'read',
    run: async () => noData({ rows: [] }),
  });
}

export const countInvoices = officeTool(
  'count',
  'invoices',
  'Counts the invoices that meet a condition, by month where asked. Use it for totals of invoices alone.',
);
export const listInvoices = officeTool(
  'list',
  'invoices',
  'Lists the invoices with their owners and dates, newest first. Use it to see which invoices there are.',
);
export const findInvoices = officeTool(
  'find',
  'invoices',
  'Finds one of the invoices by its number and returns all its fields. Use it when the number is known.',
);
export const compareInvoices = officeTool(
  'compare',
  'invoices',
  'Compares the invoices of two months and returns what was added, removed and changed.',
);
export const exportInvoices = officeTool(
  'export',
  'invoices',
  'Describes how the invoices would be exported: the columns, their order and the size of the file.',
);
export const countShipments = officeTool(
  'count',
  'shipments',
  'Counts the shipments that meet a condition, by month where asked. Use it for totals of shipments alone.',
);
export const listShipments = officeTool(
  'list',
  'shipments',
  'Lists the shipments with their owners and dates, newest first. Use it to see which shipments there are.',
);
export const findShipments = officeTool(
  'find',
  'shipments',
  'Finds one of the shipments by its number and returns all its fields. Use it when the number is known.',
);
export const compareShipments = officeTool(
  'compare',
  'shipments',
  'Compares the shipments of two months and returns what was added, removed and changed.',
);
export const exportShipments = officeTool(
  'export',
  'shipments',
  'Describes how the shipments would be exported: the columns, their order and the size of the file.',
);
export const countSuppliers = officeTool(
  'count',
  'suppliers',
  'Counts the suppliers that meet a condition, by month where asked. Use it for totals of suppliers alone.',
);
export const listSuppliers = officeTool(
  'list',
  'suppliers',
  'Lists the suppliers with their owners and dates, newest first. Use it to see which suppliers there are.',
);
export const findSuppliers = officeTool(
  'find',
  'suppliers',
  'Finds one of the suppliers by its number and returns all its fields. Use it when the number is known.',
);
export const compareSuppliers = officeTool(
  'compare',
  'suppliers',
  'Compares the suppliers of two months and returns what was added, removed and changed.',
);
export const exportSuppliers = officeTool(
  'export',
  'suppliers',
  'Describes how the suppliers would be exported: the columns, their order and the size of the file.',
);
export const countWarehouses = officeTool(
  'count',
  'warehouses',
  'Counts the warehouses that meet a condition, by month where asked. Use it for totals of warehouses alone.',
);
export const listWarehouses = officeTool(
  'list',
  'warehouses',
  'Lists the warehouses with their owners and dates, newest first. Use it to see which warehouses there are.',
);
export const findWarehouses = officeTool(
  'find',
  'warehouses',
  'Finds one of the warehouses by its number and returns all its fields. Use it when the number is known.',
);
export const compareWarehouses = officeTool(
  'compare',
  'warehouses',
  'Compares the warehouses of two months and returns what was added, removed and changed.',
);
export const exportWarehouses = officeTool(
  'export',
  'warehouses',
  'Describes how the warehouses would be exported: the columns, their order and the size of the file.',
);
export const countCouriers = officeTool(
  'count',
  'couriers',
  'Counts the couriers that meet a condition, by month where asked. Use it for totals of couriers alone.',
);
export const listCouriers = officeTool(
  'list',
  'couriers',
  'Lists the couriers with their owners and dates, newest first. Use it to see which couriers there are.',
);
export const findCouriers = officeTool(
  'find',
  'couriers',
  'Finds one of the couriers by its number and returns all its fields. Use it when the number is known.',
);
export const compareCouriers = officeTool(
  'compare',
  'couriers',
  'Compares the couriers of two months and returns what was added, removed and changed.',
);
export const exportCouriers = officeTool(
  'export',
  'couriers',
  'Describes how the couriers would be exported: the columns, their order and the size of the file.',
);
export const countCoupons = officeTool(
  'count',
  'coupons',
  'Counts the coupons that meet a condition, by month where asked. Use it for totals of coupons alone.',
);
export const listCoupons = officeTool(
  'list',
  'coupons',
  'Lists the coupons with their owners and dates, newest first. Use it to see which coupons there are.',
);
export const findCoupons = officeTool(
  'find',
  'coupons',
  'Finds one of the coupons by its number and returns all its fields. Use it when the number is known.',
);
export const compareCoupons = officeTool(
  'compare',
  'coupons',
  'Compares the coupons of two months and returns what was added, removed and changed.',
);
export const exportCoupons = officeTool(
  'export',
  'coupons',
  'Describes how the coupons would be exported: the columns, their order and the size of the file.',
);
export const countReturns = officeTool(
  'count',
  'returns',
  'Counts the returns that meet a condition, by month where asked. Use it for totals of returns alone.',
);
export const listReturns = officeTool(
  'list',
  'returns',
  'Lists the returns with their owners and dates, newest first. Use it to see which returns there are.',
);
export const findReturns = officeTool(
  'find',
  'returns',
  'Finds one of the returns by its number and returns all its fields. Use it when the number is known.',
);
export const compareReturns = officeTool(
  'compare',
  'returns',
  'Compares the returns of two months and returns what was added, removed and changed.',
);
export const exportReturns = officeTool(
  'export',
  'returns',
  'Describes how the returns would be exported: the columns, their order and the size of the file.',
);
export const countAudits = officeTool(
  'count',
  'audits',
  'Counts the audits that meet a condition, by month where asked. Use it for totals of audits alone.',
);
export const listAudits = officeTool(
  'list',
  'audits',
  'Lists the audits with their owners and dates, newest first. Use it to see which audits there are.',
);
export const findAudits = officeTool(
  'find',
  'audits',
  'Finds one of the audits by its number and returns all its fields. Use it when the number is known.',
);
export const compareAudits = officeTool(
  'compare',
  'audits',
  'Compares the audits of two months and returns what was added, removed and changed.',
);
export const exportAudits = officeTool(
  'export',
  'audits',
  'Describes how the audits would be exported: the columns, their order and the size of the file.',
);
export const countPayroll = officeTool(
  'count',
  'payroll',
  'Counts the payroll that meet a condition, by month where asked. Use it for totals of payroll alone.',
);
export const listPayroll = officeTool(
  'list',
  'payroll',
  'Lists the payroll with their owners and dates, newest first. Use it to see which payroll there are.',
);
export const findPayroll = officeTool(
  'find',
  'payroll',
  'Finds one of the payroll by its number and returns all its fields. Use it when the number is known.',
);
export const comparePayroll = officeTool(
  'compare',
  'payroll',
  'Compares the payroll of two months and returns what was added, removed and changed.',
);
export const exportPayroll = officeTool(
  'export',
  'payroll',
  'Describes how the payroll would be exported: the columns, their order and the size of the file.',
);
export const countContracts = officeTool(
  'count',
  'contracts',
  'Counts the contracts that meet a condition, by month where asked. Use it for totals of contracts alone.',
);
export const listContracts = officeTool(
  'list',
  'contracts',
  'Lists the contracts with their owners and dates, newest first. Use it to see which contracts there are.',
);
export const findContracts = officeTool(
  'find',
  'contracts',
  'Finds one of the contracts by its number and returns all its fields. Use it when the number is known.',
);
export const compareContracts = officeTool(
  'compare',
  'contracts',
  'Compares the contracts of two months and returns what was added, removed and changed.',
);
export const exportContracts = officeTool(
  'export',
  'contracts',
  'Describes how the contracts would be exported: the columns, their order and the size of the file.',
);
export const countBudgets = officeTool(
  'count',
  'budgets',
  'Counts the budgets that meet a condition, by month where asked. Use it for totals of budgets alone.',
);
export const listBudgets = officeTool(
  'list',
  'budgets',
  'Lists the budgets with their owners and dates, newest first. Use it to see which budgets there are.',
);
export const findBudgets = officeTool(
  'find',
  'budgets',
  'Finds one of the budgets by its number and returns all its fields. Use it when the number is known.',
);
export const compareBudgets = officeTool(
  'compare',
  'budgets',
  'Compares the budgets of two months and returns what was added, removed and changed.',
);
export const exportBudgets = officeTool(
  'export',
  'budgets',
  'Describes how the budgets would be exported: the columns, their order and the size of the file.',
);

import type { Night } from './read-nights.ts';
import type { SeededRandom } from './seeded-random.ts';
import { COUNTS, euros, priceInCents } from './shop-people.ts';
import type { ShopValue, TableRows } from './shop-table.ts';

const FIRST_DAY = Date.parse('2026-02-15T00:00:00Z');
const DAYS = 30;
const ORDERS_PER_DAY = 40;
const PARTITIONS = 120;
const DAY_MS = 86_400_000;
/** Payment 1093 came in twice, on the night after the 14th of March. */
const PAYMENT_TWICE = 1093;

interface Order {
  readonly id: number;
  readonly day: string;
  readonly partition: number;
  readonly placedAt: string;
  readonly storeId: number;
  readonly lines: readonly { readonly productId: number; readonly quantity: number }[];
  readonly cents: number;
  readonly state: string;
  readonly customerId: number;
}

/** The tables that each night adds to, complete for every night, and the count of orders in each partition. */
export function sales(
  random: SeededRandom,
  nights: readonly Night[],
): { tables: TableRows[]; rowsOf: (day: string, partition: number) => number } {
  const orders = makeOrders(random);
  const rowsOf = (day: string, partition: number): number =>
    orders.filter((order) => order.day === day && order.partition === partition).length;
  return {
    tables: [
      ordersTable(orders, nights),
      orderLines(orders),
      payments(orders),
      refunds(orders),
      shipments(random, orders),
      inventory(random),
      rates(random),
      calendar(),
      loadAudit(nights, rowsOf),
    ],
    rowsOf,
  };
}

function dayAt(index: number): string {
  return new Date(FIRST_DAY + index * DAY_MS).toISOString().slice(0, 10);
}

function makeOrders(random: SeededRandom): Order[] {
  return Array.from({ length: DAYS * ORDERS_PER_DAY }, (_, index) => {
    const id = index + 1;
    const day = dayAt(Math.floor(index / ORDERS_PER_DAY));
    const lines = Array.from({ length: random.between(1, 3) }, () => ({
      productId: random.between(1, COUNTS.products),
      quantity: random.between(1, 4),
    }));
    const minute = (index % ORDERS_PER_DAY) * 17 + random.between(0, 15);
    const clock = `${String(8 + Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    return {
      id,
      day,
      partition: id % PARTITIONS,
      placedAt: `${day} ${clock}:${String(id % 60).padStart(2, '0')}`,
      storeId: random.between(1, COUNTS.stores),
      lines,
      cents: lines.reduce((sum, line) => sum + priceInCents(line.productId) * line.quantity, 0),
      state: id % 41 === 0 ? 'cancelled' : 'paid',
      customerId: random.between(1, COUNTS.customers),
    };
  });
}

/** An order is loaded when the task of its partition ends; of older nights only the usual time is known. */
function ordersTable(orders: readonly Order[], nights: readonly Night[]): TableRows {
  const ends = new Map<string, string>();
  for (const night of nights)
    for (const task of night.tasks)
      if (task.task_id === 'load_partition') ends.set(`${night.salesDay}/${task.map_index}`, task.end_date.slice(0, 19).replace('T', ' '));
  const usual = (day: string): string => `${new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)} 02:27:00`;
  return {
    name: 'orders',
    columns:
      'order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, store_id INTEGER NOT NULL, placed_at TIMESTAMP NOT NULL, amount DECIMAL(12,2) NOT NULL, currency VARCHAR NOT NULL, state VARCHAR NOT NULL, load_partition INTEGER NOT NULL, loaded_at TIMESTAMP NOT NULL',
    rows: orders.map((order) => [
      order.id,
      order.customerId,
      order.storeId,
      order.placedAt,
      euros(order.cents),
      'EUR',
      order.state,
      order.partition,
      ends.get(`${order.day}/${order.partition}`) ?? usual(order.day),
    ]),
  };
}

function orderLines(orders: readonly Order[]): TableRows {
  let lineId = 0;
  return {
    name: 'order_lines',
    columns:
      'line_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, product_id INTEGER NOT NULL, quantity INTEGER NOT NULL, amount DECIMAL(12,2) NOT NULL',
    rows: orders.flatMap((order) =>
      order.lines.map((line) => [++lineId, order.id, line.productId, line.quantity, euros(priceInCents(line.productId) * line.quantity)]),
    ),
  };
}

function payments(orders: readonly Order[]): TableRows {
  const rows: ShopValue[][] = [];
  for (const order of orders.filter((candidate) => candidate.state === 'paid')) {
    const method = ['card', 'cash', 'voucher'][order.id % 3] ?? 'card';
    const row = [order.id, order.id, method, euros(order.cents), `${order.day} 20:00:00`];
    rows.push(row);
    if (order.id === PAYMENT_TWICE) rows.push(row);
  }
  return {
    name: 'payments',
    columns:
      'payment_id INTEGER NOT NULL, order_id INTEGER NOT NULL, method VARCHAR NOT NULL, amount DECIMAL(12,2) NOT NULL, paid_at TIMESTAMP NOT NULL',
    rows,
  };
}

function refunds(orders: readonly Order[]): TableRows {
  const rows = orders
    .filter((order) => order.id % 41 === 0)
    .map((order, index) => [index + 1, order.id, euros(-order.cents), index % 9 === 0 ? null : 'changed mind', order.day]);
  return {
    name: 'refunds',
    columns:
      'refund_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, amount DECIMAL(12,2) NOT NULL, reason VARCHAR, refunded_on DATE NOT NULL',
    rows,
  };
}

/** A shipment that has not arrived carries the carrier's sentinel date 9999-12-31. */
function shipments(random: SeededRandom, orders: readonly Order[]): TableRows {
  const shipped = orders.filter((order) => order.state === 'paid' && order.id % 2 === 0);
  return {
    name: 'shipments',
    columns:
      'shipment_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, carrier VARCHAR NOT NULL, shipped_on DATE NOT NULL, delivered_on DATE NOT NULL',
    rows: shipped.map((order, index) => {
      const shippedOn = Date.parse(order.day) + DAY_MS;
      const delivered = new Date(shippedOn + random.between(1, 4) * DAY_MS).toISOString().slice(0, 10);
      return [
        index + 1,
        order.id,
        random.pick(['post', 'van', 'bike']),
        new Date(shippedOn).toISOString().slice(0, 10),
        order.id > 1150 && order.id % 20 === 0 ? '9999-12-31' : delivered,
      ];
    }),
  };
}

/** Store 9 sent no count on the 2nd of March. */
function inventory(random: SeededRandom): TableRows {
  const rows: ShopValue[][] = [];
  for (let day = 0; day < DAYS; day++)
    for (let store = 1; store <= COUNTS.stores; store++)
      if (!(store === 9 && dayAt(day) === '2026-03-02')) rows.push([dayAt(day), store, random.between(400, 2600), random.between(0, 30)]);
  return {
    name: 'inventory_daily',
    columns: 'day DATE NOT NULL, store_id INTEGER NOT NULL, units INTEGER NOT NULL, spoiled INTEGER NOT NULL, PRIMARY KEY (day, store_id)',
    rows,
  };
}

function rates(random: SeededRandom): TableRows {
  const rows = Array.from({ length: DAYS }, (_, index) =>
    (['USD', 'GBP', 'CHF'] as const).map((currency, place) => [
      dayAt(index),
      currency,
      `${[1, 0, 0][place]}.${String(random.between(8200, 9800)).padStart(4, '0')}`,
    ]),
  ).flat();
  return { name: 'fx_rates', columns: 'day DATE NOT NULL, currency VARCHAR NOT NULL, rate DECIMAL(10,4) NOT NULL', rows };
}

function calendar(): TableRows {
  const rows = Array.from({ length: 90 }, (_, index) => {
    const day = dayAt(index - 45);
    const weekday = new Date(day).getUTCDay();
    return [day, weekday, weekday === 0 || weekday === 6 ? 1 : 0];
  });
  return { name: 'calendar', columns: 'day DATE PRIMARY KEY, weekday INTEGER NOT NULL, is_weekend INTEGER NOT NULL', rows };
}

function loadAudit(nights: readonly Night[], rowsOf: (day: string, partition: number) => number): TableRows {
  const time = (text: string): string => text.slice(0, 19).replace('T', ' ');
  return {
    name: 'load_audit',
    columns:
      'run_id VARCHAR NOT NULL, partition INTEGER NOT NULL, rows_expected INTEGER NOT NULL, rows_loaded INTEGER NOT NULL, try_number INTEGER NOT NULL, started_at TIMESTAMP NOT NULL, ended_at TIMESTAMP NOT NULL',
    rows: nights.flatMap((night) =>
      night.tasks
        .filter((task) => task.task_id === 'load_partition')
        .map((task) => {
          const rows = rowsOf(night.salesDay, task.map_index);
          return [night.runId, task.map_index, rows, rows, task.try_number, time(task.start_date), time(task.end_date)];
        }),
    ),
  };
}

import type { SeededRandom } from './seeded-random.ts';
import type { TableRows } from './shop-table.ts';

const FIRST = ['Ada', 'Noor', 'Luca', 'Mei', 'Olu', 'Ines', 'Tomas', 'Yuki', 'Petra', 'Sami'] as const;
const LAST = ['Berg', 'Costa', 'Dubois', 'Eze', 'Fischer', 'Haddad', 'Ito', 'Kovac', 'Lind', 'Moreau'] as const;
const CITIES = ['Lisbon', 'Lyon', 'Ghent', 'Turin', 'Graz', 'Aarhus', 'Cork', 'Bilbao'] as const;
const CATEGORIES = ['bakery', 'dairy', 'drinks', 'frozen', 'garden', 'household', 'produce', 'toys'] as const;

export const COUNTS = { customers: 400, stores: 24, employees: 96, suppliers: 30, products: 180 } as const;

/** The tables that change slowly: who buys, what is sold, and where. */
export function peopleAndProducts(random: SeededRandom): TableRows[] {
  return [
    regions(),
    stores(random),
    employees(random),
    customers(random),
    {
      name: 'categories',
      columns: 'category_id INTEGER PRIMARY KEY, name VARCHAR NOT NULL',
      rows: CATEGORIES.map((name, index) => [index + 1, name]),
    },
    suppliers(random),
    products(random),
    promotions(random),
  ];
}

function ids(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function regions(): TableRows {
  const rows = ['north', 'south', 'east', 'west'].map((name, index) => [index + 1, name]);
  return { name: 'regions', columns: 'region_id INTEGER PRIMARY KEY, name VARCHAR NOT NULL', rows };
}

function stores(random: SeededRandom): TableRows {
  return {
    name: 'stores',
    columns: 'store_id INTEGER PRIMARY KEY, city VARCHAR NOT NULL, region_id INTEGER NOT NULL, opened DATE NOT NULL, square_metres INTEGER',
    rows: ids(COUNTS.stores).map((id) => [
      id,
      random.pick(CITIES),
      1 + (id % 4),
      `20${10 + (id % 14)}-0${1 + (id % 9)}-15`,
      id === 17 ? null : random.between(120, 900),
    ]),
  };
}

function employees(random: SeededRandom): TableRows {
  return {
    name: 'employees',
    columns:
      'employee_id INTEGER PRIMARY KEY, store_id INTEGER NOT NULL, name VARCHAR NOT NULL, role VARCHAR NOT NULL, hired DATE NOT NULL',
    rows: ids(COUNTS.employees).map((id) => [
      id,
      1 + (id % COUNTS.stores),
      `${random.pick(FIRST)} ${random.pick(LAST)}`,
      id <= COUNTS.stores ? 'manager' : random.pick(['cashier', 'stock', 'baker']),
      `20${15 + (id % 10)}-${String(1 + (id % 12)).padStart(2, '0')}-01`,
    ]),
  };
}

/** Every 57th customer left no e-mail address. */
function customers(random: SeededRandom): TableRows {
  return {
    name: 'customers',
    columns: 'customer_id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, email VARCHAR, city VARCHAR, created_at TIMESTAMP NOT NULL',
    rows: ids(COUNTS.customers).map((id) => {
      const [first, last] = [random.pick(FIRST), random.pick(LAST)];
      const email = id % 57 === 0 ? null : `${first}.${last}.${id}@example.com`.toLowerCase();
      const day = `2025-${String(1 + (id % 12)).padStart(2, '0')}-${String(1 + (id % 28)).padStart(2, '0')}`;
      return [id, `${first} ${last}`, email, random.pick(CITIES), `${day} 10:${String(id % 60).padStart(2, '0')}:00`];
    }),
  };
}

function suppliers(random: SeededRandom): TableRows {
  return {
    name: 'suppliers',
    columns: 'supplier_id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, city VARCHAR NOT NULL, lead_days INTEGER NOT NULL',
    rows: ids(COUNTS.suppliers).map((id) => [
      id,
      `${random.pick(LAST)} & ${random.pick(LAST)}`,
      random.pick(CITIES),
      random.between(1, 21),
    ]),
  };
}

function products(random: SeededRandom): TableRows {
  return {
    name: 'products',
    columns:
      'product_id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, category_id INTEGER NOT NULL, supplier_id INTEGER NOT NULL, price DECIMAL(10,2) NOT NULL, weight_g INTEGER',
    rows: ids(COUNTS.products).map((id) => [
      id,
      `${CATEGORIES[id % CATEGORIES.length]} ${String(id).padStart(3, '0')}`,
      1 + (id % CATEGORIES.length),
      random.between(1, COUNTS.suppliers),
      priceOf(id),
      id % 45 === 0 ? null : random.between(40, 5000),
    ]),
  };
}

/** The list price of a product, in euros with two decimals. */
function priceOf(productId: number): string {
  return euros(priceInCents(productId));
}

export function priceInCents(productId: number): number {
  return 95 + ((productId * 7919) % 4900);
}

export function euros(cents: number): string {
  const whole = Math.abs(cents);
  return `${cents < 0 ? '-' : ''}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`;
}

function promotions(random: SeededRandom): TableRows {
  return {
    name: 'promotions',
    columns: 'promotion_id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL, percent INTEGER NOT NULL, starts DATE NOT NULL, ends DATE',
    rows: ids(40).map((id) => {
      const day = 1 + (id % 20);
      const ends = id % 13 === 0 ? null : `2026-03-${String(day + 7).padStart(2, '0')}`;
      return [id, random.between(1, COUNTS.products), random.pick([5, 10, 15, 20]), `2026-03-${String(day).padStart(2, '0')}`, ends];
    }),
  };
}

/** An article on a subject that does not exist, with two figures that its readers have to bring back. */
export interface MadeUpArticle {
  readonly subject: string;
  readonly text: string;
  /** The figures asked for, as they stand in the text. */
  readonly first: string;
  readonly second: string;
}

/** Written for this suite: none of the places, peoples, plants and machines exists, so that no model can know the figures. */
export const ARTICLES: readonly MadeUpArticle[] = [
  {
    subject: 'the tide mills of Orvath',
    first: '41',
    second: '6.8',
    text: 'Orvath never had a river, so its millers learned to hold back the sea. Each mill closes a gate at high water and lets the basin run out over a wheel of larch. The survey of the coast counted 41 mills that still turn. On a spring tide one of them grinds for 6.8 hours before the basin is empty. Most of the flour goes inland by cart, and the bran feeds the ponies that pull it.',
  },
  {
    subject: 'the glass bees of Tennarin',
    first: '230',
    second: '17',
    text: 'Collectors take the glass bee of Tennarin for a jewel until it moves its wings. The wings hold no pigment at all: ridges in the chitin bend the light. A colony has about 230 workers and a single queen that is dull brown. The keepers move the hives when the heather fades, and lose 17 percent of the workers on the way. Nobody has yet bred them under a roof.',
  },
  {
    subject: 'the night trains of Quell Province',
    first: '1,140',
    second: '9',
    text: 'In Quell Province the railway runs only after dark, when the mines no longer need the current. The longest line is 1,140 kilometres and crosses two deserts. Passengers sleep in hammocks that the guard hangs from the roof. Of last year’s departures 9 were cancelled, all of them in the week of the dust. The timetable is printed on cloth, since paper does not last the journey.',
  },
  {
    subject: 'the salt lilies of Marsh Edrin',
    first: '34',
    second: '2.7',
    text: 'The salt lily flowers in water that would kill a reed. It carries the salt into its oldest leaves, which turn white and drop. Botanists found the plant in 34 of the pools of Marsh Edrin. A grown lily takes up 2.7 grams of salt a day in summer. Farmers have begun to plant it along the dykes, and to burn the fallen leaves for soap.',
  },
  {
    subject: 'the bell court of Hasmere',
    first: '12',
    second: '58',
    text: 'Disputes in Hasmere are heard under a bell, and end when it has stopped sounding. The judges strike it anew for every speaker. There are 12 judges, drawn by lot among the potters. Of the cases brought in the last session 58 were settled before the second bell. The bell itself has a crack that nobody dares to mend, for fear of its changing the law.',
  },
  {
    subject: 'the kite post of the Lower Sarn',
    first: '73',
    second: '4.2',
    text: 'Letters cross the gorge of the Lower Sarn by kite. A boy on one side flies it, and a girl on the other catches the line with a hook. The post handles 73 letters on a day of steady wind. The heaviest parcel so far was a wheel of cheese of 4.2 kilograms. When the wind fails, the office lights a lamp, and everybody waits.',
  },
  {
    subject: 'the copper moss of Vint',
    first: '310',
    second: '0.6',
    text: 'Where nothing else grows on the heaps of the mines at Vint, a moss spreads that is the colour of old coins. It was thought to be a stain until somebody watered it. One square metre holds 310 milligrams of copper. The moss creeps downhill by 0.6 metres a year, which is the rate at which the heaps themselves slide. A chemist has offered to harvest it, and the town has not answered.',
  },
  {
    subject: 'the floating schools of Ammerlo',
    first: '26',
    second: '1,905',
    text: 'Children in Ammerlo do not walk to school, since the school comes to them. Barges with desks go round the lake, one subject to a barge. The fleet has 26 barges and a tender for the ink. In the spring term 1,905 pupils were taught, some of them twice by mistake. The teachers live aboard, and have a union that will not work in fog.',
  },
  {
    subject: 'the ember foxes of Drovik',
    first: '88',
    second: '13',
    text: 'The ember fox digs where peat smoulders, because the ground there is warm. Its paws have a pad as thick as a boot sole. Wardens put collars on 88 of the animals. A vixen raises her cubs for 13 weeks before she moves to a fresh fire. The foxes do not start the fires, as was long believed; they are the ones who put the smaller of them out.',
  },
  {
    subject: 'the water clocks of Sint Aldo',
    first: '19',
    second: '0.4',
    text: 'Every street in Sint Aldo has its own time, kept by a clock of dripping water. The clocks are set against each other at noon, with much shouting. There are 19 of them in the old town. The best loses 0.4 seconds in a day, and the worst is kept for sentimental reasons. Merchants agree on a street before they agree on an hour.',
  },
  {
    subject: 'the rope bridges of Upper Callow',
    first: '152',
    second: '31',
    text: 'Upper Callow weaves its bridges from the inner bark of lime trees. Each family owns one strand and has to renew it. The longest of the bridges spans 152 metres. A strand lasts 31 months in the spray of the falls, and twice as long above them. Goats cross without being asked, while cattle have to be blindfolded.',
  },
  {
    subject: 'the dust weavers of Okka',
    first: '640',
    second: '5',
    text: 'Nothing grows at Okka, and so its people weave with what the wind brings. They comb fibres out of the dust and spin them with spit and lamp oil. A shawl takes 640 hours. Each weaver may sell 5 shawls in a year, by a rule that is older than the town. The colour depends on the season: red before the rains, and grey after them.',
  },
  {
    subject: 'the echo surveyors of Pell',
    first: '27',
    second: '340',
    text: 'The valleys of Pell were mapped by ear. A surveyor claps two boards and counts until the sound returns. The office has employed 27 surveyors since it opened. Their greatest error was 340 metres, and put a chapel into a lake. Satellite maps have not replaced them, since the province does not trust what cannot be heard.',
  },
  {
    subject: 'the frost orchards of Lenn',
    first: '84',
    second: '11.5',
    text: 'Apples in Lenn are picked frozen, at night, with wooden tongs. The frost turns their starch into a syrup that no other apple has. The village tends 84 trees, each with a name. A tree in its best years gives 11.5 kilograms of fruit. The cores are thrown to the crows, who will not leave until the last of them is eaten.',
  },
  {
    subject: 'the lantern crabs of Isle Morrow',
    first: '56',
    second: '3.1',
    text: 'On moonless nights the beaches of Isle Morrow look as if a town had been built on them. The light comes from crabs that carry glowing fungus on their shells. A count along one bay gave 56 crabs to a square metre. The fungus doubles in 3.1 days, and the crab trims it with its claws. Fishermen use neither lamp nor crab, saying that the fish know the difference.',
  },
  {
    subject: 'the paper walls of Yssel Keep',
    first: '22',
    second: '7,300',
    text: 'Yssel Keep withstood its sieges behind walls of pressed paper. Wet paper stops an arrow as well as stone does, and can be mended with a bucket. The outer wall is 22 metres high. When the garrison was sent home, 7,300 cartloads were pulped for schoolbooks. Lines of old orders can still be read in the inner wall, where the light falls from the side.',
  },
  {
    subject: 'the singing sands of Tarrow',
    first: '440',
    second: '15',
    text: 'The dunes at Tarrow sing when the wind turns, and the tone is always the same. Tuners travel there to set their forks. The note lies at 440 hertz, give or take a grain. It lasts for 15 minutes on a dry evening, and not at all after rain. A hotel was built for the listeners, and had to be moved when it was found to hum along.',
  },
  {
    subject: 'the turf libraries of Brannoch',
    first: '5,120',
    second: '68',
    text: 'Books in Brannoch are kept under the turf, where it is always cool. The readers lift a sod, take a box out, and put the sod back. The catalogue lists 5,120 volumes. Of these 68 have never been found again, since the sheep moved the markers. The library lends in winter only, when there is nothing else to dig.',
  },
  {
    subject: 'the storm coopers of Great Usk',
    first: '97',
    second: '2,250',
    text: 'The coopers of Great Usk build barrels that are meant to be thrown into the sea. A captain in a storm pours oil from them to smooth the waves. The yard sells 97 barrels in an ordinary autumn. One barrel calms 2,250 square metres for as long as it leaks. Empty barrels wash up along the coast, where they are used as cradles.',
  },
  {
    subject: 'the moth markets of Cedd',
    first: '180',
    second: '36',
    text: 'The market at Cedd opens when the first moth comes to the lamp. What is for sale is silk, still on the cocoon. On a good night 180 traders stand around the square. A basket changes hands for 36 coins, and is weighed against feathers. By dawn nothing remains but the lamp, which is never put out, only handed on.',
  },
];
